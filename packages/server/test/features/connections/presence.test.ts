import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifyPresenceChanges } from '../../../src/features/connections/presence.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { untilIdle } from '../../support/server/pendingQueries.ts'
import { prefer } from '../../support/scenes/preferences.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/**
 * The presence feature with a fake source of online states, which notifies everybody. Lookups wait for `release`, and
 * the one numbered `failing` fails.
 */
function createPresence(failing?: number) {
  const { core } = server
  let come = (_userId: string, _online: boolean): void => {}
  let release = (): void => {}
  const held = new Promise<void>((resolve) => void (release = resolve))
  const lookups: number[] = []
  const told: string[] = []
  const read: typeof core.db.read = {
    ...core.db.read,
    async all<T>(...[text, values = []]: Parameters<typeof core.db.read.all>) {
      if (text.includes('from connections')) lookups.push(new Set(values).size)
      const at = lookups.length
      await held
      if (at === failing) throw new Error('the database is away')
      return core.db.read.all<T>(text, values)
    },
  }
  notifyPresenceChanges({
    ...core,
    log: core.log.child({}, { level: 'silent' }),
    db: { ...core.db, read },
    sockets: {
      ...core.sockets,
      isConnectedHere: () => true,
      onPresence: (hear) => void (come = hear),
      notifyHere: (userIds, frame) => {
        if (frame.type === 'party_changed') told.push(`${frame.party.id} to ${userIds.join()}`)
      },
    },
  })
  return { come: (member: Member) => come(member.user.id, true), release, lookups, told }
}

async function signUpPairs(): Promise<[Member, Member][]> {
  const members = await Promise.all(Array.from({ length: 70 }, () => server.signUp()))
  const pairs = Array.from({ length: 35 }, (_, at) => [members[2 * at], members[2 * at + 1]] as [Member, Member])
  for (const [one, other] of pairs) await server.connect(one, other)
  return pairs
}

test('users who come during a lookup share the next one, and all entitled contacts are notified', async () => {
  const pairs = await signUpPairs()
  const [[hidden, partner], ...others] = pairs as [[Member, Member], ...[Member, Member][]]
  await prefer(hidden, { onlineStatus: false })
  await untilIdle(server.url)

  const { come, release, lookups, told } = createPresence()
  for (const member of [...pairs.flat(), hidden, partner]) come(member)
  release()
  const both = others.flatMap(([{ user: one }, { user: other }]) => [
    `${one.id} to ${other.id}`,
    `${other.id} to ${one.id}`,
  ])
  await expect.poll(() => told.toSorted()).toEqual(both.toSorted())
  // The first alone, then a full statement, then the rest.
  expect(lookups).toEqual([1, 64, 6])
})

test('where a lookup fails, those of the next are told of all the same', async () => {
  const members = (await signUpPairs()).flat()
  const { come, release, lookups, told } = createPresence(2)
  for (const member of members) come(member)
  release()
  await expect.poll(() => told).toHaveLength(6)
  expect(lookups).toEqual([1, 64, 5])
})
