import { connections } from '@privity/contract/connections'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, ask, receivedBy, requestsOf, switchDirectoryOn } from '../../support/scenes/directory.ts'
import type { Member } from '../../support/server/testServer.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet.close())

const pairs = 12
let created = 0

/** Pairs of members, each member at a process of their own. */
async function createPairs(): Promise<(readonly [Member, Member])[]> {
  const [one, other] = fleet.servers
  await switchDirectoryOn(one)
  const members: (readonly [Member, Member])[] = []
  for (let n = 0; n < pairs; n++) {
    created += 1
    members.push([await one.signUp(`one${created}`), await other.signUp(`other${created}`)])
  }
  return members
}

const countConnections = async (member: Member) => (await member.call(connections.list, {})).length

test('two who ask each other at once at two processes are connected once', async () => {
  for (const [anna, ben] of await createPairs()) {
    await Promise.all([ask(anna, ben), ask(ben, anna)])
    expect([await countConnections(anna), await countConnections(ben)]).toEqual([1, 1])
    expect([await requestsOf(anna), await requestsOf(ben)]).toEqual([
      { received: [], sent: [] },
      { received: [], sent: [] },
    ])
  }
})

test('a request that is withdrawn and accepted at once ends in one way for both', async () => {
  for (const [anna, ben] of await createPairs()) {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    const answers = await Promise.all([answer(anna, 'withdraw', id), answer(ben, 'accept', id)])
    const [withdrawn, accepted] = answers.map(({ status }) => status < 300)
    expect(withdrawn).toBe(!accepted)
    expect([await countConnections(anna), await countConnections(ben)]).toEqual(accepted ? [1, 1] : [0, 0])
  }
})
