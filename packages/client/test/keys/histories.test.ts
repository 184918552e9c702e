import { expect, test } from 'vitest'
import { randomOf } from '../support/random.ts'
import { createStage, meetContacts, type Person, reconnected } from '../support/stage.ts'

const hour = 60 * 60 * 1000
const operations = Number(process.env['HISTORY_OPERATIONS'] ?? 60)
const firstSeed = Number(process.env['HISTORY_SEED'] ?? 1)
const perRun = 20

/** Two people who come, go, write and let time pass. Resolves to the reasons of messages that did not open. */
async function runHistory(seed: number): Promise<string[]> {
  await using stage = await createStage()
  const { connectionId, ...pair } = await stage.pair()
  const people: Person[] = [pair.anna, pair.ben]
  const here = new Set<Person>(people)
  const random = randomOf(seed)
  const unreadable: string[] = []

  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 12 * hour) {
      await stage.advance(Math.min(left, 12 * hour))
      for (const person of here) {
        await person.client.connections.list()
        await reconnected(stage, person)
      }
    }
  }

  async function comeOrGo(index: number): Promise<void> {
    const person = people[index] as Person
    if (here.delete(person)) return person.client.close()
    const back = await stage.signIn(person)
    await meetContacts(back)
    people[index] = back
    here.add(back)
  }

  for (let step = 0; step < perRun; step++) {
    const [choice, index] = [random(), Math.floor(random() * 2)]
    const person = people[index] as Person
    if (choice < 0.35) await pass(Math.ceil(random() * (random() < 0.2 ? 240 : 20)) * hour)
    else if (choice < 0.55) await comeOrGo(index)
    else if (here.has(person)) await person.client.messages.send(connectionId, `${step}`)
    for (const { client } of here)
      for (const { body } of await client.messages.list(connectionId))
        if (body.kind === 'unreadable') unreadable.push(`seed ${seed}, step ${step}: ${body.reason.code}`)
  }
  return unreadable
}

test(
  'nobody sees a message that cannot be opened, whoever comes, goes and writes',
  { timeout: 3_600_000 },
  async () => {
    for (let run = 0; run * perRun < operations; run++) expect(await runHistory(firstSeed + run)).toEqual([])
    process.stdout.write(`${operations} operations from seed ${firstSeed}\n`)
  },
)
