import {
  createEnvelope,
  createEpoch,
  createIdentity,
  importAccountKey,
  importIdentity,
  loadKeyAgreement,
  newId,
  sealMessage,
} from '@privity/e2ee'
import { destructionTime, isInTime } from '@privity/contract/epochTimes'
import type { Envelope } from '@privity/contract/messages'
import type { Time } from '../sendingModel/time.ts'
import { connectionId } from './server.ts'

/** When every run begins. */
export const start = Date.UTC(2026, 0, 1)

/** Keys of two connected people; made once, because making them takes longest. */
export async function createPeople() {
  const person = async (userId: string) => {
    const { seed: identitySeed } = await createIdentity()
    const identity = await importIdentity(identitySeed)
    const { epoch, seed } = await createEpoch({ identity, userId, n: 1, createdAt: start, startsAt: start })
    return { userId, identity, epoch, seed, accountKey: await importAccountKey(new Uint8Array(32)) }
  }
  await loadKeyAgreement()
  const anna = await person('0198c0de-0000-7000-8000-00000000000a')
  const ben = await person('0198c0de-0000-7000-8000-00000000000b')
  // The first message and deletion load modules, which takes real time: load them before the fake clock starts.
  await import('../../../src/messages/deletion.ts')
  const recipient = { ...ben, identityKey: ben.identity.publicKey }
  const made = await createEnvelope({ id: newId(0), connectionId, sender: anna, recipient })
  const context = { sentAt: 0, n: 1, lifetime: 0, previous: undefined, otherPrevious: undefined, seen: undefined }
  const { identity } = anna
  await sealMessage({ ...made, identity, messageId: newId(0), body: { kind: 'text', text: 'First' }, context })
  return [anna, ben] as const
}

export type People = Awaited<ReturnType<typeof createPeople>>
export type Human = People[number]

/** Epochs of each person, one after another without a fork, as browsers publish them. */
export function createEpochChains(people: People, time: Time) {
  type Epochs = Pick<Human, 'epoch' | 'seed'>[]
  const chains = new Map<Human, Epochs>(people.map((person) => [person, [person]]))
  const chainOf = (person: Human): Epochs => chains.get(person) ?? []
  const newestOf = (person: Human) => (chainOf(person).at(-1) ?? person).epoch
  let publishing: Promise<void> = Promise.resolve()

  async function extend(person: Human): Promise<void> {
    const previous = newestOf(person)
    if (time.now() < previous.endsAt) return
    const { userId, identity } = person
    const times = { createdAt: time.now(), startsAt: time.now() }
    chainOf(person).push(await createEpoch({ identity, userId, n: previous.n + 1, ...times, previous }))
  }

  const epochOf = (person: Human, n: number) => chainOf(person)[n - 1]?.epoch

  return {
    newestOf,
    destructionOf(person: Human, n: number) {
      const epoch = epochOf(person, n)
      return epoch && destructionTime(epoch)
    },
    /** Until when a message under this envelope may live; undefined if it is not the time of its epochs. */
    lifetimeOf({ from, epochFrom, epochTo }: Envelope): number | undefined {
      const epochs = people.flatMap((each) => epochOf(each, each.userId === from ? epochFrom : epochTo) ?? [])
      const areInTime = epochs.length === 2 && epochs.every((epoch) => isInTime(epoch, time.now()))
      return areInTime ? Math.min(...epochs.map(destructionTime)) : undefined
    },
    seedOf: (person: Human, n: number) => chainOf(person)[n - 1]?.seed,
    /** Publishes an epoch of now where the newest one has ended. */
    async publish(person: Human): Promise<void> {
      publishing = publishing.then(() => extend(person))
      await publishing
    },
  }
}
