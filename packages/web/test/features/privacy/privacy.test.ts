import { describe, expect, test } from 'vitest'
import { type StatusFacts, statusItems } from '../../../src/features/privacy/statusItems.ts'

const day = 24 * 60 * 60 * 1000
const now = Date.UTC(2026, 0, 15, 12)
const session = (current: boolean, createdAt = now) => ({
  id: `session ${createdAt}`,
  current,
  createdAt,
  lastUsedAt: now,
  address: '10.0.0.1',
  device: 'Firefox on Linux',
})

const facts: StatusFacts = {
  now,
  security: { failedSignIns: { count: 0 }, recoveryKeyAt: now - day },
  trust: ['verified'],
  sessions: [session(true)],
  storage: 'kept',
  secondFactor: { on: true, recoveryCodesLeft: 10 },
  isRecoveryKeyUnsaved: false,
}
const preferences = { sessionTimeout: true, loginNotifications: true }
const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
const formats = { date: iso, time: iso }

const items = (more: Partial<StatusFacts> = {}, changed: Partial<typeof preferences> = {}) =>
  statusItems({ ...facts, ...more }, { ...preferences, ...changed }, formats)
const find = (id: string, ...given: Parameters<typeof items>) => items(...given).find((item) => item.id === id)

describe('the security status', () => {
  test('has nothing to do where all is good', () => {
    expect(items().map(({ state }) => state)).not.toContain('attention')
    expect(items().map(({ id }) => id)).toEqual([
      'secondFactor',
      'keys',
      'contacts',
      'recoveryKey',
      'sessions',
      'failures',
      'sessionTimeout',
      'loginNotifications',
      'storage',
    ])
  })

  test('lets failures be settled up to the last one shown, and says since when there are none', () => {
    const failedSignIns = { count: 9, lastAt: now, lastAddress: '10.0.0.9' }
    expect(find('failures', { security: { failedSignIns } })).toMatchObject({
      state: 'attention',
      ask: { what: 'settle', until: now },
    })
    const settled = find('failures', { security: { failedSignIns: { count: 0, settledAt: now } } })
    expect(settled).toMatchObject({ state: 'good', text: 'None since 2026-01-15.' })
    expect(settled?.ask).toBeUndefined()
  })

  test('a recovery key that nobody has said to have saved needs attention, however new', () => {
    expect(find('recoveryKey', { isRecoveryKeyUnsaved: true })).toMatchObject({
      state: 'attention',
      text: expect.stringContaining('not confirmed'),
      link: { href: '/account-settings' },
    })
  })

  test('puts first what needs attention', () => {
    const found = items({ storage: 'mayGo', trust: ['unverified'] }, { sessionTimeout: false })
    expect(found.slice(0, 3).map(({ id }) => id)).toEqual(['contacts', 'sessionTimeout', 'storage'])
    expect(found.slice(3).map(({ state }) => state)).not.toContain('attention')
  })

  test('whatever needs attention leads to what changes it', () => {
    const worst = items(
      {
        security: { failedSignIns: { count: 9, lastAt: now, lastAddress: '10.0.0.9' }, recoveryKeyAt: now - 400 * day },
        trust: ['changed', 'unverified'],
        sessions: [session(true), session(false, now - 40 * day)],
        storage: 'mayGo',
        secondFactor: { on: false, recoveryCodesLeft: 0 },
      },
      { sessionTimeout: false, loginNotifications: false },
    )
    expect(worst.map(({ state }) => state)).toEqual(worst.map(() => 'attention'))
    for (const { id, link, ask } of worst) expect(link?.href ?? ask?.what, id).toBeTruthy()
  })

  test('counts contacts that are not verified, and keys that have changed', () => {
    const trust = ['verified', 'unverified', 'unverified', 'changed'] as const
    expect(find('contacts', { trust })?.text).toContain('2 of 4 contacts are not verified')
    expect(find('keys', { trust })).toMatchObject({ state: 'attention', link: { href: '/' } })
    expect(find('keys', { trust })?.text).toContain('1 contact has changed')
    expect(find('contacts', { trust: [] })).toMatchObject({ state: 'good' })
  })

  test('names the oldest other session', () => {
    const young = [session(true, now - 50 * day), session(false, now - 2 * day), session(false, now - day)]
    expect(find('sessions', { sessions: young })).toMatchObject({ state: 'good' })
    expect(find('sessions', { sessions: young })?.text).toContain('2 other sessions, the oldest since 2026-01-13')
    const old = [...young, session(false, now - 31 * day)]
    expect(find('sessions', { sessions: old })).toMatchObject({ state: 'attention' })
  })

  test('tells one slip of long ago from a guess of today', () => {
    const failed = (count: number, lastAt: number) => ({
      security: { failedSignIns: { count, lastAt, lastAddress: '10.0.0.9' } },
    })
    expect(find('failures', failed(1, now - 2 * day))).toMatchObject({ state: 'good' })
    expect(find('failures', failed(1, now - 1))).toMatchObject({ state: 'attention' })
    expect(find('failures', failed(5, now - 20 * day))).toMatchObject({ state: 'attention' })
    expect(find('failures', failed(5, now - 20 * day))?.text).toContain('from 10.0.0.9')
  })

  test('says nothing of a recovery key where there is none, and asks after a year', () => {
    expect(find('recoveryKey', { security: { failedSignIns: { count: 0 } } })).toBeUndefined()
    const security = { failedSignIns: { count: 0 }, recoveryKeyAt: now - 366 * day }
    expect(find('recoveryKey', { security })).toMatchObject({ state: 'attention', link: { href: '/account-settings' } })
  })

  test('asks for a second factor, and for new recovery codes when few are left', () => {
    const off = find('secondFactor', { secondFactor: { on: false, recoveryCodesLeft: 0 } })
    expect(off).toMatchObject({ state: 'attention', link: { href: '#twoFactor' } })
    const few = find('secondFactor', { secondFactor: { on: true, recoveryCodesLeft: 2 } })
    expect(few).toMatchObject({ state: 'attention', text: expect.stringContaining('2 backup codes are left') })
    expect(find('secondFactor', { secondFactor: { on: true, recoveryCodesLeft: 3 } })).toMatchObject({ state: 'good' })
  })
})
