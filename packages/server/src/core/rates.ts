import { isIPv6 } from 'node:net'
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

/**
 * What an address is counted as. A subscriber has at least 2^64 IPv6 addresses, so those count by
 * their first 64 bits; an IPv4 address written as IPv6 counts as itself.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const [first, last] = [groups(head), groups(tail)]
  const missing = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const all = [...first, ...Array.from({ length: missing }, () => '0'), ...last]
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
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
