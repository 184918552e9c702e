import { expect, test } from 'vitest'
import { readConnectionLink } from '@privity/contract/connectionLink'
import type { ContactKeys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import { accept, markVerified, replaceKeys } from '../support/keyRotation.ts'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  type Stage,
} from '../support/stage.ts'

/** The code and the fingerprint of the link that this person shares. */
async function sharedBy({ client, user }: Person) {
  const link = readConnectionLink(new URL(await client.connections.link(user.connectionCode)).hash)
  if (link === undefined) throw new Error('The link holds no code and fingerprint.')
  return link
}

const connectBy = async (person: Person, { code, fingerprint }: Awaited<ReturnType<typeof sharedBy>>) =>
  person.client.connections.create(code, fingerprint)

async function connectedByLink(stage: Stage) {
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const { id: connectionId } = await connectBy(ben, await sharedBy(anna))
  return { anna, ben, connectionId }
}

const stateOf = async ({ client }: Person, connectionId: string) => (await client.trust.state(connectionId)).state

/** As a server that shows keys of its own in the place of every contact's. */
async function lie(stage: Stage, { network }: Person, { user }: Person): Promise<void> {
  const identity = await importIdentity((await createIdentity()).seed)
  const now = stage.server.clock.now()
  const { epoch } = await createEpoch({ identity, userId: user.id, n: 1, createdAt: now, startsAt: now })
  const keys: ContactKeys = { userId: user.id, identityKey: identity.publicKey, former: [], epoch }
  network.tampers = (request, answer) => (isKeys(request) ? { ...(answer as ContactKeys), ...keys } : answer)
}

const isKeys = (request: string) => /^GET \/api\/connections\/[^/]+\/keys$/.test(request)

/** As a server that shows the key of the link once, when it is compared, and keys of its own otherwise. */
async function lieExceptOnce(
  stage: Stage,
  ben: Person,
  anna: Person,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await lie(stage, ben, anna)
  const { network } = ben
  const lies = network.tampers as NonNullable<typeof network.tampers>
  let asked = 0
  network.tampers = (request, answer) => {
    if (isKeys(request) && (asked += 1) === 1) return answer
    if (!request.startsWith('GET /api/keys/peers')) return lies(request, answer)
    const found = answer as { connectionId: string; keys: ContactKeys }[]
    return found.map(({ connectionId: id, keys }) => ({
      connectionId: id,
      keys: lies(`GET /api/connections/${id}/keys`, keys),
    }))
  }
  network.watches = (request) => (isKeys(request) && asked === 0 ? meanwhile() : undefined)
}

const connectionsOf = (stage: Stage) => stage.server.core.db.read.all('select id from connections')

test('a contact whose key is the one of the link is confirmed by link, in every browser', async () => {
  await using stage = await createStage()
  const { ben, connectionId, anna } = await connectedByLink(stage)
  expect(await stateOf(ben, connectionId)).toBe('linked')
  expect((await ben.client.trust.states()).get(connectionId)).toBe('linked')
  const elsewhere = await stage.signIn(ben)
  expect(await stateOf(elsewhere, connectionId)).toBe('linked')
  // The other side has opened no link.
  expect(await stateOf(anna, connectionId)).toBe('unverified')
})

test('a contact with another key than the link’s raises an alarm, and there is no connection', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const link = await sharedBy(anna)
  await lie(stage, ben, anna)
  const alarm = next(ben, 'alarm')
  await expect(connectBy(ben, link)).rejects.toMatchObject({ code: 'LINK_OTHER' })
  expect((await alarm).sentence).toMatch(/not the one in their link/)
  expect(await connectionsOf(stage)).toEqual([])
  expect(await ben.client.connections.list()).toEqual([])
  // The false key was not accepted: the true one is no change.
  ben.network.tampers = undefined
  const { id } = await connectBy(ben, link)
  expect(await stateOf(ben, id)).toBe('linked')
})

test('a fresh browser does not ask about a contact who is confirmed by link', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await connectedByLink(stage)
  const fresh = await stage.signIn(ben)
  expect((await fresh.client.trust.state(connectionId)).question).toBeUndefined()
})

test('an epoch that nobody has signed, under the key of the link, connects nobody', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const signature = 'A'.repeat(86)
  ben.network.tampers = (request, answer) => {
    if (!isKeys(request)) return answer
    const keys = answer as ContactKeys
    return { ...keys, epoch: { ...keys.epoch, signature } }
  }
  await expect(connectBy(ben, await sharedBy(anna))).rejects.toMatchObject({ code: 'KEYS_FORGED' })
  expect(await connectionsOf(stage)).toEqual([])
})

test('no contact is accepted by link while the list of accepted keys is lost', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  await stage.server.core.db.write((tx) =>
    tx.run("update users set pins_version = 0, pins = '' where id = ?", [ben.user.id]),
  )
  const fresh = await stage.signIn(ben)
  await expect(connectBy(fresh, await sharedBy(anna))).rejects.toMatchObject({ code: 'KEY_CHANGED' })
  expect(await connectionsOf(stage)).toEqual([])
  expect(fresh.network.requests.map(({ request }) => request)).not.toContain('PUT /api/keys/pins')
})

test('a server that shows two keys while a link is opened raises an alarm and connects nobody', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const link = await sharedBy(anna)
  await lieExceptOnce(stage, ben, anna, () => ben.client.trust.states())
  const alarms = collect(ben, 'alarm')
  await expect(connectBy(ben, link)).rejects.toMatchObject({ code: 'LINK_OTHER' })
  expect(alarms.map(({ code }) => code)).toContain('LINK_OTHER')
  expect(await connectionsOf(stage)).toEqual([])
})

test('the key that was compared with a link is accepted, whatever the server shows next', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const link = await sharedBy(anna)
  await connected(ben)
  await lieExceptOnce(stage, ben, anna, async () => {
    ben.network.deaf = true
    await reaches(ben.client.live, (state) => state !== 'connected')
    ben.network.deaf = false
    await reconnected(stage, ben)
  })
  const { id } = await connectBy(ben, link)
  expect(await stateOf(ben, id)).toBe('changed')
})

test('a key that cannot be checked leaves no connection', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const link = await sharedBy(anna)
  ben.network.answers = (request) => (isKeys(request) ? new Response('', { status: 502 }) : undefined)
  await expect(connectBy(ben, link)).rejects.toMatchObject({ status: 502 })
  expect(await connectionsOf(stage)).toEqual([])
})

test('a typed code connects as before, and the contact is not verified', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await stage.pair()
  const alarms = collect(ben, 'alarm')
  expect(await stateOf(ben, connectionId)).toBe('unverified')
  expect(alarms).toEqual([])
})

test('a comparison verifies a contact confirmed by link; clearing it leaves the link', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await connectedByLink(stage)
  await markVerified(ben, connectionId)
  expect(await stateOf(ben, connectionId)).toBe('verified')
  await ben.client.trust.unverify(connectionId)
  expect(await stateOf(ben, connectionId)).toBe('linked')
})

test('a changed key is not confirmed by the link to the one before', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await connectedByLink(stage)
  const before = await sharedBy(anna)
  await replaceKeys(anna)
  await reconnected(stage, anna)
  expect(await stateOf(ben, connectionId)).toBe('changed')
  await accept(ben, connectionId)
  expect(await stateOf(ben, connectionId)).toBe('unverified')
  expect((await sharedBy(anna)).fingerprint).not.toBe(before.fingerprint)
})

test('after new keys of one’s own no contact counts as confirmed by link', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await connectedByLink(stage)
  await replaceKeys(ben)
  await reconnected(stage, ben)
  expect(await stateOf(ben, connectionId)).toBe('unverified')
})
