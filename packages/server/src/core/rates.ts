import { AppError } from '@privity/contract/errors'
import { rateLimits } from '@privity/contract/limits'
import type { Clock } from './clock.ts'

export type Rule = keyof typeof rateLimits
export type RateLimits = Record<Rule, { requests: number; window: number }>

/** Counts by rule and key (an account or an address) in fixed windows. */
export interface Rates {
  /**
   * Counts one; refuses with RATE_LIMITED and the seconds to wait when the window is used up. The
   * answer gives the one back, for rules that count only failures but must count before they know.
   */
  take(rule: Rule, key: string): () => void
  /** Refuses like `take` but counts nothing: for rules that count only failures. */
  check(rule: Rule, key: string): void
}

interface Window {
  count: number
  endsAt: number
}

/** `overrides` is for measurements, which send more from one address than any person would. */
export function createRates(clock: Clock, overrides: Partial<RateLimits> = {}): Rates & { forget(): void } {
  const rules: RateLimits = { ...rateLimits, ...overrides }
  const windows = new Map((Object.keys(rules) as Rule[]).map((rule) => [rule, new Map<string, Window>()]))

  function current(rule: Rule, key: string): Window {
    const ofRule = windows.get(rule) as Map<string, Window>
    const now = clock.now()
    let window = ofRule.get(key)
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + rules[rule].window }
      ofRule.set(key, window)
    }
    if (window.count >= rules[rule].requests) {
      throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil((window.endsAt - now) / 1000) })
    }
    return window
  }

  return {
    take(rule, key) {
      const window = current(rule, key)
      window.count += 1
      return () => void (window.count -= 1)
    },
    check(rule, key) {
      current(rule, key)
    },
    forget() {
      const now = clock.now()
      for (const ofRule of windows.values()) {
        for (const [key, window] of ofRule) if (window.endsAt <= now) ofRule.delete(key)
      }
    },
  }
}
