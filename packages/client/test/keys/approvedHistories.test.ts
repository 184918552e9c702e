import { expect, test } from 'vitest'
import { browserIdOf, browserListed } from '../support/browsers.ts'
import { randomOf } from '../support/random.ts'
import { createStage, meetContacts, type Person, reconnected } from '../support/stage.ts'

const hour = 60 * 60 * 1000
const operations = Number(process.env['HISTORY_OPERATIONS'] ?? 40)
const firstSeed = Number(process.env['HISTORY_SEED'] ?? 1)
const perRun = 20
const devices = 3

/** One member with several browsers, in both modes. Resolves to what went wrong. */
async function runHistory(seed: number): Promise<string[]> {
  await using stage = await createStage()
  const { connectionId, anna, ben } = await stage.pair()
  const random = randomOf(seed)
  const wrong: string[] = []
  const here = new Map<number, Person>([[0, anna]])
  const known = new Map<number, Person>([[0, anna]])
  let step = 0

  const note = (what: string) => void wrong.push(`seed ${seed}, step ${step}: ${what}`)
  const listen = (person: Person) =>
    void person.client.on('alarm', ({ code }) => {
      note(`alarm ${code}`)
    })
  listen(anna)
  listen(ben)

  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const shown = async ({ client }: Person) => client.browsers.list()
  async function isApproved(person: Person): Promise<boolean> {
    const own = (await shown(person)).browsers.find(({ isCurrent }) => isCurrent)
    return own?.isApproved === true
  }

  async function open(index: number): Promise<void> {
    const before = known.get(index)
    const tab = before ? { ...before, ...stage.tab(before) } : undefined
    if (tab) await tab.client.account.start().catch(() => {})
    const isOpen = tab?.client.account.state.get().status === 'open'
    const person = isOpen ? (tab as Person) : { ...anna, ...(tab ?? stage.tab()) }
    if (!isOpen) await person.client.account.signIn(anna)
    listen(person)
    await meetContacts(person)
    await browserListed(person)
    here.set(index, person)
    known.set(index, person)
  }

  function close(index: number): void {
    here.get(index)?.client.close()
    here.delete(index)
  }

  async function pass(milliseconds: number): Promise<void> {
    await stage.advance(milliseconds)
    for (const person of [...here.values(), ben]) {
      await person.client.connections.list()
      await reconnected(stage, person)
    }
    await stage.advance(60_000)
    for (const person of here.values()) await browserListed(person)
  }

  async function approve(): Promise<void> {
    const people = [...here.values()]
    const states = await Promise.all(people.map(isApproved))
    const added = people.find((_, index) => !states[index])
    const approver = people.find((_, index) => states[index])
    if (!added || !(await shown(added)).onlyApproved) return
    if (!approver || random() < 0.3) return added.client.browsers.openWithRecoveryKey(anna.recoveryKey)
    const request = await added.client.browsers.requestApproval()
    const approval = await approver.client.browsers.answerApproval(await browserIdOf(added, anna))
    const [one, other] = [await request.proceed(), await approval.proceed()]
    if (JSON.stringify(one) !== JSON.stringify(other)) note(`codes ${JSON.stringify([one, other])}`)
    await approval.approve()
  }

  async function switchMode(): Promise<void> {
    const person = pick([...here.values()])
    if (person && (await isApproved(person)))
      await person.client.browsers.setOnlyApproved(!(await shown(person)).onlyApproved)
  }

  async function remove(): Promise<void> {
    const [index, by] = [Math.floor(random() * devices), pick([...here.keys()])]
    const [removed, person] = [known.get(index), by === undefined ? undefined : here.get(by)]
    if (!removed || !person || by === index || !(await isApproved(person))) return
    const id = await browserIdOf(removed, anna)
    close(index)
    await person.client.browsers.remove(id)
  }

  async function check(): Promise<void> {
    for (const person of [...here.values(), ben]) {
      const isComplete = person === ben || (await isApproved(person))
      for (const { body } of await person.client.messages.list(connectionId))
        if (body.kind === 'unreadable' && (isComplete || body.reason.code !== 'BEFORE_APPROVAL')) note(body.reason.code)
    }
  }

  await browserListed(anna)
  for (; step < perRun; step++) {
    const [choice, index] = [random(), Math.floor(random() * devices)]
    const writer = pick([...here.values(), ben])
    if (choice < 0.2) await pass(Math.ceil(random() * 14) * hour)
    else if (choice < 0.4) await (here.has(index) ? close(index) : open(index))
    else if (choice < 0.5) await switchMode()
    else if (choice < 0.65) await approve()
    else if (choice < 0.72) await remove()
    else await writer?.client.messages.send(connectionId, `${step}`)
    await check()
  }
  return wrong
}

test(
  'no approved browser misses a message, whoever comes, approves, removes or switches',
  { timeout: 3_600_000 },
  async () => {
    for (let run = 0; run * perRun < operations; run++) expect(await runHistory(firstSeed + run)).toEqual([])
    process.stdout.write(`${operations} operations from seed ${firstSeed}\n`)
  },
)
