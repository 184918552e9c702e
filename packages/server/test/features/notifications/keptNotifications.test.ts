import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addNotification, type NewNotification } from '../../../src/features/notifications/notifications.ts'
import { createNotified, type Notified } from '../../support/scenes/notifications.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
let notified: Notified
beforeAll(async () => {
  server = await createTestServer()
  notified = createNotified(server)
})
afterAll(() => server.close())

const changed = {
  kind: 'account_changed',
  sessionId: '01890000-0000-7000-8000-000000000000',
  device: 'x',
  address: 'x',
} as const
const passwordChanged = { ...changed, change: 'password_changed' } as const
const locked = { kind: 'account_locked', failures: 5, address: 'x' } as const

const add = (member: Member, ...contents: NewNotification[]) =>
  server.core.db.write(async (tx) => {
    for (const content of contents) {
      notified.tick()
      await addNotification(tx, server.core, member.user.id, content)
    }
  })

const clear = (member: Member) => member.call(notifications.clear, { query: {} })
const newestId = async (member: Member) => (await notified.list(member)).notifications[0]?.id ?? ''

const copies = <T>(count: number, content: T): T[] => Array.from({ length: count }, () => content)

/** Advances the clock by hours and uses the session, so that it does not expire. */
async function pass(member: Member, hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed += 12) {
    server.clock.advance(Math.min(12, hours - passed) * 60 * 60 * 1000)
    await member.call(connections.list, {})
  }
}

describe.each<NewNotification>([passwordChanged, { kind: 'second_factor_reset' }])('$kind', (content) => {
  test('stays for 7 days when the list is cleared, and what else was there goes', async () => {
    const member = await server.signUp()
    await add(member, content, locked)
    expect(await clear(member)).toEqual({ unread: 1 })
    await pass(member, 7 * 24 - 1)
    await clear(member)
    expect(await notified.kinds(member)).toEqual([content.kind])
    await pass(member, 1)
    await clear(member)
    expect(await notified.kinds(member)).toEqual([])
  })

  test('is not removed alone in these 7 days', async () => {
    const member = await server.signUp()
    await add(member, content)
    const params = { id: await newestId(member) }
    const refusal = await member.refused(notifications.remove, { params })
    expect(refusal).toMatchObject({ status: 409, body: { code: 'NOTIFICATION_KEPT' } })
    expect(await notified.kinds(member)).toEqual([content.kind])
    await pass(member, 7 * 24)
    await member.call(notifications.remove, { params })
    expect(await notified.kinds(member)).toEqual([])
  })

  test('is not pushed out by others that come after it', async () => {
    const member = await server.signUp()
    await add(member, content, ...copies(limits.notificationsKept + 1, locked))
    const { notifications: newest } = await notified.list(member, { limit: limits.notificationsKept })
    const older = await notified.list(member, { before: newest.at(-1)?.id ?? '' })
    expect(older.notifications.map(({ kind }) => kind)).toEqual([content.kind])
  })

  test('can be marked as read', async () => {
    const member = await server.signUp()
    await add(member, content)
    expect(await member.call(notifications.markRead, { body: {} })).toEqual({ unread: 0 })
    expect(await notified.list(member)).toMatchObject({ notifications: [{ read: true }] })
  })
})

test('after 7 days an account change is pushed out like all others', async () => {
  const member = await server.signUp()
  await add(member, passwordChanged)
  await pass(member, 7 * 24)
  await add(member, ...copies(limits.notificationsKept, locked))
  expect(await stored(member)).toEqual(copies(limits.notificationsKept, { kind: 'account_locked' }))
})

test('account changes alone grow to a limit of their own', async () => {
  const member = await server.signUp()
  await add(member, ...copies(limits.accountChangesKept + 5, passwordChanged))
  expect(await stored(member)).toHaveLength(limits.accountChangesKept)
})

test('login notifications switched off again and again by one session are told once', async () => {
  const member = await server.signUp()
  await add(member, passwordChanged, { ...changed, change: 'login_notifications_off' })
  for (let count = 0; count < 3; count++) {
    notified.tick()
    await prefer(member, { loginNotifications: false })
    await prefer(member, { loginNotifications: true })
  }
  const told = (await notified.list(member)).notifications.map(
    (each) => 'change' in each && [each.change, each.current],
  )
  expect(told).toEqual([
    ['login_notifications_off', true],
    ['login_notifications_off', false],
    ['password_changed', false],
  ])
})

const stored = (member: Member) =>
  server.core.db.read.all('select kind from notifications where user_id = ?', [member.user.id])
