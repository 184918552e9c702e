import { isIPv6 } from 'node:net'
import { AppError } from '@privity/contract/errors'
import { rateLimits } from '@privity/contract/limits'
import type { Clock } from '../clock.ts'

export type Rule = keyof typeof rateLimits
export type RateLimits = Record<Rule, { requests: number; window: number }>

/** Counts by rule and key (an account or an address) in fixed windows. */
export interface Rates {
  /**
   * Counts one, or `weight`; throws RATE_LIMITED with the seconds to wait if the window is used up. Returns a function
   * that takes the count back, for rules that count only failures but must count in advance.
   */
  take(rule: Rule, key: string, weight?: number): () => void
  /** Throws like `take` but counts nothing: for rules that count only failures. */
  check(rule: Rule, key: string): void
}

/**
 * Returns the key by which an address is counted. A subscriber has at least 2^64 IPv6 addresses, so those count by
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
  const allGroups = [...first, ...Array.from({ length: missing }, () => '0'), ...last]
  const network = allGroups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** A whole site may use this many times the limit of one network. */
const siteFactor = 16
const siteSuffix = '::/48'

/** Returns the /48 of an IPv6 /64: one rented machine often comes with all 65,536 networks of a /48. */
function siteOf(key: string): string | undefined {
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(key)?.[1]
  return groups && `${groups}${siteSuffix}`
}

/** A count, of this process or of all processes together, and the time when it expires. */
export interface Window {
  count: number
  endsAt: number
}

/** Counts of all processes together, which arrive a moment later. */
export interface SharedCounts {
  /** Adds `by` to the shared sum, and updates the window once the sum is known. */
  add(key: string, by: number, window: Window, rule: { requests: number; window: number }): void
}

/** Creates the counts. `overrides` is for benchmarks, which send more from one address than any person would. */
export function createRates(
  clock: Clock,
  overrides: Partial<RateLimits> = {},
  shared?: SharedCounts,
): Rates & { removeExpired(): void; markUsedUp(key: string, left: number): void } {
  const rules: RateLimits = { ...rateLimits, ...overrides }
  const createWindows = () => new Map((Object.keys(rules) as Rule[]).map((rule) => [rule, new Map<string, Window>()]))
  const ownWindows = createWindows()
  /** Shared counts may refuse a call that this process would allow, but never allow one that it refuses. */
  const sharedWindows = createWindows()

  function windowOf(windows: typeof ownWindows, rule: Rule, key: string): Window {
    const ofRule = windows.get(rule) as Map<string, Window>
    const now = clock.now()
    let window = ofRule.get(key)
    // A window that ends later than it can was begun by a wrong clock.
    if (window === undefined || window.endsAt <= now || window.endsAt > now + rules[rule].window) {
      window = { count: 0, endsAt: now + rules[rule].window }
      ofRule.set(key, window)
    }
    return window
  }

  const ruleFor = (rule: Rule, key: string) => {
    const { requests, window } = rules[rule]
    return { requests: key.endsWith(siteSuffix) ? requests * siteFactor : requests, window }
  }

  function openWindow(windows: typeof ownWindows, rule: Rule, key: string): Window {
    const now = clock.now()
    const window = windowOf(windows, rule, key)
    if (window.count >= ruleFor(rule, key).requests) {
      throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil((window.endsAt - now) / 1000) })
    }
    return window
  }

  /** Decides by the counts known now; the shared sum arrives later and counts from then on. */
  function takeOne(rule: Rule, key: string, weight: number): () => void {
    const ownWindow = openWindow(ownWindows, rule, key)
    const sharedWindow = shared && openWindow(sharedWindows, rule, key)
    const count = (by: number) => {
      ownWindow.count += by
      if (sharedWindow === undefined) return
      sharedWindow.count += by
      shared?.add(`${rule}/${key}`, by, sharedWindow, ruleFor(rule, key))
    }
    count(weight)
    return () => count(-weight)
  }

  function checkOne(rule: Rule, key: string): void {
    openWindow(ownWindows, rule, key)
    if (shared !== undefined) openWindow(sharedWindows, rule, key)
  }

  function check(rule: Rule, key: string): void {
    const site = siteOf(key)
    checkOne(rule, key)
    if (site !== undefined) checkOne(rule, site)
  }

  return {
    take(rule, key, weight = 1) {
      const site = siteOf(key)
      if (site === undefined) return takeOne(rule, key, weight)
      check(rule, key)
      const counts = [takeOne(rule, key, weight), takeOne(rule, site, weight)]
      return () => counts.forEach((giveBack) => giveBack())
    },
    check,
    markUsedUp(name, left) {
      const slash = name.indexOf('/')
      const [rule, key] = [name.slice(0, slash) as Rule, name.slice(slash + 1)]
      if (!sharedWindows.has(rule)) return
      Object.assign(windowOf(sharedWindows, rule, key), {
        count: ruleFor(rule, key).requests,
        endsAt: clock.now() + left,
      })
    },
    removeExpired() {
      const now = clock.now()
      for (const ofRule of [...ownWindows.values(), ...sharedWindows.values()]) {
        for (const [key, window] of ofRule) if (window.endsAt <= now) ofRule.delete(key)
      }
    },
  }
}
