import { expect, test, vi } from 'vitest'
import { AppError } from '@privity/contract/errors'
import type { ContactKeys } from '@privity/contract/keys'
import { createIdentity } from '@privity/e2ee'
import { collect, createStage, next, type Person, type Stage } from './support/stage.ts'

/** Another identity key in the place of a person's, as the server gives it from now on. */
async function exchangeKey({ server }: Stage, { user }: Person): Promise<string> {
  const { publicKey } = await createIdentity()
  await server.core.db.write((tx) => tx.run('update users set identity_key = ? where id = ?', [publicKey, user.id]))
  return publicKey
}

const reports = ({ network }: Person) =>
  network.requests.filter(({ request }) => request === 'POST /api/notifications/key-changes')

const kinds = async ({ client }: Person) => (await client.notifications.list()).notifications.map(({ kind }) => kind)

test('notifications come live, in pages, and can be read, removed and cleared', async () => {
  await using stage = await createStage()
  const { ben } = await stage.pair()
  const cleo = await stage.signUp('cleo')
  const heard = next(ben, 'notification')
  stage.server.clock.advance(1)
  await stage.connect(cleo, ben)
  const { id } = await heard
  const { client } = ben
  const first = await client.notifications.list({ limit: 1 })
  expect(first).toMatchObject({
    notifications: [{ id, kind: 'connection_created', read: false }],
    unread: 2,
    more: true,
  })
  const second = await client.notifications.list({ limit: 1, before: id })
  expect(second).toMatchObject({ notifications: [{ kind: 'connection_created' }], more: false })
  const changed = next(ben, 'notifications_changed')
  expect(await client.notifications.markRead([id])).toBe(1)
  await changed
  expect(await client.notifications.markRead()).toBe(0)
  await client.notifications.remove(second.notifications[0]?.id ?? '')
  expect(await client.notifications.clear(id)).toBe(0)
  expect((await client.notifications.list()).notifications).toEqual([])
})

test('a changed key is told to the account, once for all of its browsers', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')
  expect(await kinds(anna)).toEqual([])
  await exchangeKey(stage, ben)
  const heard = next(anna, 'notification')
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  expect(await heard).toMatchObject({ kind: 'key_changed', connectionId, who: { id: ben.user.id } })
  await anna.client.trust.state(connectionId)
  expect(reports(anna)).toHaveLength(1)

  const elsewhere = await stage.signIn(anna)
  const again = collect(elsewhere, 'notification')
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('changed')
  await expect.poll(() => reports(elsewhere).length).toBe(1)
  expect((await kinds(elsewhere)).filter((kind) => kind === 'key_changed')).toHaveLength(1)
  expect(again).toEqual([])
  expect(await kinds(ben)).toEqual(['connection_created'])
})

test('a report that did not reach the server is made again, and hinders nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await exchangeKey(stage, ben)
  let lost = 0
  anna.network.loses = (request) => request === 'POST /api/notifications/key-changes' && (lost += 1) === 1
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  await expect.poll(() => lost).toBe(1)
  await expect
    .poll(async () => {
      await anna.client.trust.state(connectionId)
      return reports(anna).length
    })
    .toBe(2)
  expect((await kinds(anna)).filter((kind) => kind === 'key_changed')).toHaveLength(1)
})

test('a report that a full server refuses is made again once it has space', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await exchangeKey(stage, ben)
  const write = vi.spyOn(stage.server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(0)
  write.mockRestore()
  await expect
    .poll(async () => {
      await anna.client.trust.state(connectionId)
      return (await kinds(anna)).includes('key_changed')
    })
    .toBe(true)
})

test('a server that gives the keys of another person is reported by that key, and refuses it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const cleo = await stage.signUp('cleo')
  await stage.connect(cleo, anna)
  await anna.client.trust.state(connectionId)
  const { publicKey } = await createIdentity()
  anna.network.tampers = (request, answer) =>
    request.endsWith(`${connectionId}/keys`) ? { ...(answer as ContactKeys), identityKey: publicKey } : answer
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  await expect.poll(() => reports(anna).map(({ body }) => body)).toEqual([expect.stringContaining(publicKey)])
  expect(await kinds(anna)).toEqual(['connection_created'])
  expect((await anna.client.trust.state(connectionId)).state).toBe('changed')
  expect(await kinds(ben)).toEqual(['connection_created'])
})
