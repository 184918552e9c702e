import { expect, test } from 'vitest'
import type { OwnKeys, PeerKeys } from '@privity/contract/keys'
import { keys } from '@privity/contract/keys'
import { collect, connected, createStage, next, type Person, reaches, sentAll, type Stage, texts } from './harness.ts'

/** Gives a person another person's identity and epoch on the server: what an attacker in its place would do. */
async function exchangeKeys({ server }: Stage, victim: Person, attacker: Person): Promise<void> {
  const ids = [attacker.user.id, victim.user.id]
  await server.core.db.write(async (tx) => {
    await tx.run('update users set identity_key = (select identity_key from users where id = ?) where id = ?', ids)
    for (const column of ['public_key', 'previous_hash', 'signature'])
      await tx.run(
        `update epochs set ${column} = (select ${column} from epochs where user_id = ?) where user_id = ?`,
        ids,
      )
  })
}

/** New keys of the same person, as after losing password and recovery key: made by a client, put in by hand. */
async function renewKeys({ server, ...stage }: Stage, person: Person, maker: Person): Promise<void> {
  const made = await maker.client.call(keys.getOwn, {})
  expect(stage).toBeDefined()
  await server.core.db.write((tx) =>
    tx.run('update users set identity_key = ? where id = ?', [made.identityKey, person.user.id]),
  )
}

test('both sides see the same 60 digits, and verifying lasts in every browser of the user', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const mine = await anna.client.trust.state(connectionId)
  expect(mine).toMatchObject({ state: 'unverified', paused: false })
  expect(mine.safetyNumber).toMatch(/^\d{60}$/)
  expect((await ben.client.trust.state(connectionId)).safetyNumber).toBe(mine.safetyNumber)

  await anna.client.trust.markVerified(connectionId)
  const elsewhere = await stage.signIn(anna)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('verified')
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await elsewhere.client.trust.unverify(connectionId)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('unverified')
})

test('another browser hears of a changed pin', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const elsewhere = await stage.signIn(anna)
  await connected(elsewhere)
  await elsewhere.client.trust.state(connectionId)
  const heard = next(elsewhere, 'trust_changed')
  await anna.client.trust.markVerified(connectionId)
  await heard
  await reaches(elsewhere.client.live, (state) => state === 'connected')
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('verified')
})

test('a changed key blocks sending until it is accepted, and then is not verified', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.markVerified(connectionId)
  const before = await anna.client.trust.state(connectionId)
  await exchangeKeys(stage, ben, await stage.signUp('mallory'))

  const elsewhere = await stage.signIn(anna)
  const changed = await elsewhere.client.trust.state(connectionId)
  expect(changed.state).toBe('changed')
  expect(changed.safetyNumber).not.toBe(before.safetyNumber)
  const { id } = await elsewhere.client.messages.send(connectionId, 'For Ben only')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/encryption key has changed/)
  expect(elsewhere.network.requests.map(({ request }) => request)).not.toContain('POST /api/messages')
  await expect(elsewhere.client.trust.markVerified(connectionId)).rejects.toMatchObject({ code: 'KEY_CHANGED' })

  await elsewhere.client.trust.accept(connectionId)
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('unverified')
  await elsewhere.client.messages.retry(id)
  await sentAll(elsewhere)
})

test('messages from before a change are still read after it is accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'From Ben')
  await anna.client.messages.send(connectionId, 'To Ben')
  await Promise.all([sentAll(anna), sentAll(ben)])
  const before = await texts(anna, connectionId)
  await exchangeKeys(stage, ben, await stage.signUp('mallory'))
  const elsewhere = await stage.signIn(anna)
  expect(await texts(elsewhere, connectionId)).toEqual(before)
  const again = next(elsewhere, 'resync')
  await elsewhere.client.trust.accept(connectionId)
  await again
  expect(await texts(elsewhere, connectionId)).toEqual(before)
})

test('a message under a new key is not opened until the key is accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  await ben.client.messages.send(connectionId, 'Genuine')
  await sentAll(ben)
  // The pin says another key than Ben's: as if his had changed since.
  const mallory = await stage.signUp('mallory')
  await exchangeKeys(stage, ben, mallory)
  const fresh = await stage.signIn(anna)
  await fresh.client.trust.accept(connectionId)
  await stage.advance(24 * 60 * 60 * 1000 - 60_000)
  expect(await texts(fresh, connectionId)).toEqual(['Genuine'])
})

test('a key that the server exchanges for the other person is noticed when a message of it arrives', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'Genuine')
  await sentAll(ben)
  // Anna's browser has pinned another key for Ben, so that his genuine message looks like a stranger's to it.
  const mallory = await stage.signUp('mallory')
  const foreign = await mallory.client.call(keys.getOwn, {})
  const elsewhere = await stage.signIn(anna)
  expect(foreign.identityKey).not.toBe('')
  const told = collect(elsewhere, 'trust_changed')
  elsewhere.network.tampers = (request, answer) =>
    request.endsWith('/keys') && request !== 'GET /api/keys'
      ? { ...(answer as PeerKeys), identityKey: foreign.identityKey }
      : answer
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('changed')
  expect(told.length).toBeGreaterThan(0)
})

test('another account that the server puts in the place of the other party is a changed key', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const mallory = await stage.signUp('mallory')
  const { userId, identityKey, epochs } = await mallory.client.call(keys.getOwn, {})
  const elsewhere = await stage.signIn(anna)
  elsewhere.network.tampers = (request, answer) =>
    request.startsWith('GET /api/connections/') && request.endsWith('/keys')
      ? { userId, identityKey, epoch: epochs[0] }
      : answer
  expect((await elsewhere.client.trust.state(connectionId)).state).toBe('changed')
  await elsewhere.client.messages.send(connectionId, 'For Ben only')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/encryption key has changed/)
})

test('sending can be paused, in every browser, and resumed', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.pause(connectionId)
  const elsewhere = await stage.signIn(anna)
  expect((await elsewhere.client.trust.state(connectionId)).paused).toBe(true)
  const { id } = await elsewhere.client.messages.send(connectionId, 'Wait')
  const [failed] = await reaches(elsewhere.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/paused/)
  await elsewhere.client.trust.resume(connectionId)
  await elsewhere.client.messages.retry(id)
  await sentAll(elsewhere)
})

const withPins = (change: (pins: OwnKeys['pins']) => OwnKeys['pins']) => (request: string, answer: unknown) => {
  if (request !== 'GET /api/keys') return answer
  const own = answer as OwnKeys
  return { ...own, pins: change(own.pins) }
}

test('a pin list that is missing, altered or older is an alarm, and the pins that this browser knows stay', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const { pins: older } = await anna.client.call(keys.getOwn, {})
  await anna.client.trust.markVerified(connectionId)
  const cases = [
    withPins(() => ({ version: 0, sealed: '' })),
    withPins(({ version, sealed }) => ({ version, sealed: `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}` })),
    withPins(() => older),
    // The old list under the new number.
    withPins(({ version }) => ({ version, sealed: older.sealed })),
  ]
  for (const tampers of cases) {
    const tab = stage.tab(anna)
    tab.network.tampers = tampers
    await tab.client.account.start()
    expect((await next(tab, 'alarm')).sentence).toMatch(/the keys you have accepted|list of keys you have accepted/)
    expect((await tab.client.trust.state(connectionId)).state).toBe('verified')
    tab.client.close()
  }
})

test('a browser that knows no pins takes no key unseen when the list is missing', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const fresh = stage.tab()
  fresh.network.tampers = withPins(() => ({ version: 0, sealed: '' }))
  await fresh.client.account.signIn(anna)
  expect((await next(fresh, 'alarm')).sentence).toMatch(/lost the list/)
  expect((await fresh.client.trust.state(connectionId)).state).toBe('changed')
  const { id } = await fresh.client.messages.send(connectionId, 'Who are you?')
  await reaches(fresh.client.outbox, ([item]) => item?.state === 'failed')
  await fresh.client.trust.accept(connectionId)
  await fresh.client.messages.retry(id)
  await sentAll(fresh)
})

test('two browsers that change pins at the same time lose neither', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const carl = await stage.signUp('carl')
  const { id: other } = await stage.connect(anna, carl)
  const elsewhere = await stage.signIn(anna)
  await Promise.all([anna.client.trust.markVerified(connectionId), elsewhere.client.trust.markVerified(other)])
  const third = await stage.signIn(anna)
  expect((await third.client.trust.state(connectionId)).state).toBe('verified')
  expect((await third.client.trust.state(other)).state).toBe('verified')
})
