import { KeyObject, type webcrypto } from 'node:crypto'
import { keys } from '@privity/contract/keys'
import { session } from '@privity/contract/session'
import { createKeyShare, openForBrowser, openPrivate, importAccountKey } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { identityBinding } from '../../src/keys/aad.ts'
import { rawAccountKeyOf } from '../support/accountKey.ts'
import { newPassword, replaceKeys } from '../support/keyRotation.ts'
import { collect, connected, createStage, next, reaches, reconnected, type Tab } from '../support/stage.ts'

interface Entry {
  userId: string
  sessionId: string
  browserKey: CryptoKey
  sealed: string
  next?: string
}

const entryOf = async ({ device }: Pick<Tab, 'device'>) => (await device.get('keys')) as Entry

/** The bytes of a key, which Node can read out, but no script of a page. */
const hexOf = (key: CryptoKey) =>
  KeyObject.from(key as webcrypto.CryptoKey)
    .export()
    .toString('hex')

/** Everything on the device, keys as their bytes, as a copy of the disk shows it. */
async function bytesOn({ device }: Pick<Tab, 'device'>): Promise<Buffer> {
  const plain = (_name: string, value: unknown) => (value instanceof CryptoKey ? hexOf(value) : value)
  const values = await Promise.all((await device.names('')).map((name) => device.get(name)))
  return Buffer.from(JSON.stringify(values, plain))
}

/** Whether a copy of the device opens the account key with this share. */
const opens = (entry: Entry, share: string): Promise<boolean> =>
  openForBrowser(entry.browserKey, share, entry.sealed, entry).then(
    () => true,
    () => false,
  )

test('no key on the device opens anything without the session’s share', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  const raw = await rawAccountKeyOf(anna)
  const own = await anna.client.call(keys.getOwn, { query: {} })
  const seed = await openPrivate(await importAccountKey(raw), identityBinding(anna.user.id), own.wrappedIdentitySeed)
  const bytes = await bytesOn(anna)
  const entry = await entryOf(anna)
  const browserKey = hexOf(entry.browserKey)
  // That the search would find a key: the browser's own is there.
  expect(bytes.includes(browserKey)).toBe(true)
  for (const secret of [raw, seed])
    for (const form of ['hex', 'base64url', 'base64'] as const)
      expect(bytes.includes(Buffer.from(secret).toString(form).replace(/=+$/, ''))).toBe(false)
  await expect(
    importAccountKey(new Uint8Array(Buffer.from(browserKey, 'hex'))).then((key) =>
      openPrivate(key, identityBinding(anna.user.id), own.wrappedIdentitySeed),
    ),
  ).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' })
  const { session: current } = await anna.client.call(session.getUser, {})
  expect(await opens(entry, current.keyShare)).toBe(true)
  expect(await opens(entry, createKeyShare())).toBe(false)
})

test('what the device keeps opens nothing once the session was ended', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  anna.client.close()
  const copied = await entryOf(anna)
  const other = await stage.signIn(anna)
  await other.client.ownAccount.endOtherSessions()
  const { session: foreign } = await other.client.call(session.getUser, {})
  expect(await opens(copied, foreign.keyShare)).toBe(false)
  await expect(anna.client.call(session.getUser, {})).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  // Not even with a later session of the same browser.
  const again = stage.tab(anna)
  await again.client.account.signIn(anna)
  const { session: later } = await again.client.call(session.getUser, {})
  expect(await opens(copied, later.keyShare)).toBe(false)
  expect(await opens(await entryOf(again), later.keyShare)).toBe(true)
})

test('each sign-in seals the account key under another key of the browser', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const before = await entryOf(anna)
  await anna.client.account.signOut()
  await anna.client.account.signIn(anna)
  const after = await entryOf(anna)
  expect(hexOf(after.browserKey)).not.toBe(hexOf(before.browserKey))
  expect(after.sessionId).not.toBe(before.sessionId)
})

test('new keys are stored again for the session that follows', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const before = await entryOf(anna)
  await replaceKeys(anna)
  await reconnected(stage, anna)
  const { session: current } = await anna.client.call(session.getUser, {})
  const after = await entryOf(anna)
  expect(after.sessionId).toBe(current.id)
  expect(after).not.toHaveProperty('next')
  expect(await opens(after, current.keyShare)).toBe(true)
  expect(await opens(before, current.keyShare)).toBe(false)
})

test('a stored key whose share the server does not give locks the account, and nothing is lost', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  anna.client.close()
  const tab = stage.tab(anna)
  const alarms = collect(tab, 'alarm')
  tab.network.tampers = (request, answer) => {
    if (request !== 'GET /api/user') return answer
    const user = answer as { session: { id: string } }
    return { ...user, session: { ...user.session, keyShare: createKeyShare() } }
  }
  await tab.client.account.start()
  expect(tab.client.account.state.get().status).toBe('locked')
  tab.network.tampers = undefined
  await tab.client.account.unlock(anna.password)
  expect(tab.client.account.state.get().status).toBe('open')
  expect(await tab.client.drafts.get(connectionId)).toBe('Half a sentence')
  expect(alarms).toEqual([])
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('open')
})

test('a tab that read the share of a session that ended meanwhile asks again, and opens', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const known = await anna.client.call(session.getUser, {})
  await replaceKeys(anna)
  const tab = stage.tab(anna)
  await tab.client.account.start(known)
  expect(tab.client.account.state.get().status).toBe('open')
})

test('a tab that starts while another one signs in again opens with it', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await connected(anna)
  const tab = stage.tab(anna)
  const starting = stage.tab(anna)
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The session is there, its key is not stored yet.
  tab.network.watches = (request) => {
    if (request !== 'GET /api/keys') return undefined
    asked.resolve()
    return goOn.promise
  }
  const signingIn = tab.client.account.signIn(anna)
  await asked.promise
  await starting.client.account.start()
  expect(starting.client.account.state.get().status).toBe('locked')
  goOn.resolve()
  await signingIn
  await reaches(starting.client.account.state, ({ status }) => status === 'open')
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('open')
})

test('a stored key of the earlier form counts as none, and is removed', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  anna.client.close()
  const accountKey = await importAccountKey(await rawAccountKeyOf(anna))
  await anna.device.set('keys', { id: 'earlier', userId: anna.user.id, accountKey })
  const tab = stage.tab(anna)
  await tab.client.account.start()
  expect(tab.client.account.state.get().status).toBe('locked')
  expect(await anna.device.names('keys')).toEqual([])
})

test('after a change of keys that failed midway the account opens with the keys in force', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const { activate } = await anna.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  anna.network.offline = true
  await expect(activate()).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(await entryOf(anna)).toHaveProperty('next')
  anna.network.offline = false
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('open')
  const told = next(reloaded, 'signed_out')
  await (await stage.signIn(anna)).client.ownAccount.endOtherSessions()
  await told
  expect(await anna.device.names('keys')).toEqual([])
})
