import { expect, test } from 'vitest'
import { connections } from '@privity/contract/connections'
import type { OwnKeys, ContactKeys } from '@privity/contract/keys'
import { createStage, type Person, type Stage, type Tab } from '../support/stage.ts'

/** Connects that many strangers with `person`; the ids of the connections, oldest first. */
async function addContacts({ server }: Stage, { user }: Person, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const stranger = await server.signUp(undefined, { address: `10.40.${i >> 4}.${i & 15}` })
    const made = await stranger.call(connections.create, { body: { connectionCode: user.connectionCode } })
    ids.push(made.id)
  }
  return ids
}

const ownKeyCalls = new Set(['GET /api/keys', 'GET /api/keys/pins', 'POST /api/keys/epochs'])

/** Without the own keys and the list of accepted ones, which notices make a browser load again at their own time. */
const keyCalls = ({ network }: Tab) =>
  network.requests
    .map(({ request }) => request.replace(/\?.*/, ''))
    .filter((request) => request.includes('keys') && !ownKeyCalls.has(request))
const count = (calls: string[], call: string) => calls.filter((each) => each === call).length

test('the seals of 90 contacts take 5 calls at the first look and one at each later look', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const ids = await addContacts(stage, anna, 90)
  const before = keyCalls(anna).length
  const states = await anna.client.trust.states()
  expect([...states.keys()].sort()).toEqual([...ids].sort())
  expect(new Set(states.values())).toEqual(new Set(['unverified']))
  const first = keyCalls(anna).slice(before)
  expect(count(first, 'GET /api/keys/identities')).toBe(1)
  expect(count(first, 'GET /api/keys/peers')).toBe(3)
  expect(count(first, 'PUT /api/keys/pins')).toBe(1)
  expect(first.filter((call) => call.startsWith('GET /api/connections/'))).toEqual([])

  // Accepted for good: another browser asks for nothing but whether a key has changed.
  const elsewhere = await stage.signIn(anna)
  const asked = keyCalls(elsewhere).length
  expect(await elsewhere.client.trust.states()).toEqual(states)
  expect(keyCalls(elsewhere).slice(asked)).toEqual(['GET /api/keys/identities'])
})

test('a verified contact and one whose key has changed are told apart in the list', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const [one = '', two = '', three = ''] = await addContacts(stage, anna, 3)
  await anna.client.trust.states()
  await anna.client.trust.markVerified(one, (await anna.client.trust.state(one)).safetyNumber)
  const party = await stage.server.core.db.read.get<{ id: string }>(
    'select case when user_id_1 = ? then user_id_2 else user_id_1 end as id from connections where id = ?',
    [anna.user.id, two],
  )
  await stage.server.core.db.write((tx) =>
    tx.run('update users set identity_key = ? where id = ?', ['A'.repeat(43), party?.id ?? '']),
  )
  expect(Object.fromEntries(await anna.client.trust.states())).toEqual({
    [one]: 'verified',
    [two]: 'changed',
    [three]: 'unverified',
  })
  const told = anna.network.requests.find(({ request }) => request.endsWith('/api/notifications/key-changes'))
  expect(JSON.parse(told?.body ?? '{}')).toEqual({ connectionId: two, identityKey: 'A'.repeat(43) })
  // And the conversation itself finds the same.
  expect((await anna.client.trust.state(two)).state).toBe('changed')
})

test('keys that do not fit together are accepted for nobody, and the others are', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const [one = '', two = ''] = await addContacts(stage, anna, 2)
  type Given = { connectionId: string; keys: ContactKeys }[]
  anna.network.tampers = (request, answer) => {
    if (!request.startsWith('GET /api/keys/peers')) return answer
    const other = (answer as Given).find(({ connectionId }) => connectionId === two)
    return (answer as Given).map((each) =>
      each.connectionId === one && other
        ? { ...each, keys: { ...each.keys, identityKey: other.keys.identityKey } }
        : each,
    )
  }
  await anna.client.trust.states()
  const before = keyCalls(anna).length
  anna.network.tampers = undefined
  await anna.client.trust.states()
  const asked = anna.network.requests.map(({ request }) => request)
  expect(asked.filter((request) => request.includes('peers')).slice(1)).toEqual([
    `GET /api/keys/peers?connections=${one}`,
  ])
  expect(keyCalls(anna).slice(before)).toEqual([
    'GET /api/keys/identities',
    'GET /api/keys/peers',
    'PUT /api/keys/pins',
  ])
})

test('a server that has lost the accepted keys gets no new ones accepted by a look at the list', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const [one = ''] = await addContacts(stage, anna, 1)
  const elsewhere = stage.tab()
  const pins = { version: 0, sealed: '' }
  elsewhere.network.tampers = (request, answer) => {
    if (request === 'GET /api/keys/pins') return pins
    return request === 'GET /api/keys' ? { ...(answer as OwnKeys), pins } : answer
  }
  await elsewhere.client.account.signIn(anna)
  expect(await elsewhere.client.trust.states()).toEqual(new Map([[one, 'changed']]))
  expect(count(keyCalls(elsewhere), 'PUT /api/keys/pins')).toBe(0)
})
