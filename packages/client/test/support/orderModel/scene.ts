import * as fc from 'fast-check'
import type { DecryptedMessage } from '../../../src/index.ts'
import type { People } from './people.ts'
import { createRun } from './run.ts'
import type { Place, Stored } from './server.ts'
import type { ModelTab } from './world.ts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute

/** A conversation, by who writes from which browser and whether the page was loaded anew before. */
export const histories = fc.record({
  turns: fc.array(fc.record({ browser: fc.nat({ max: 3 }), isReloaded: fc.boolean(), isLater: fc.boolean() }), {
    minLength: 3,
    maxLength: 10,
  }),
  target: fc.nat(),
  seed: fc.nat(),
})

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

export const textOf = ({ body }: DecryptedMessage) => (body.kind === 'text' ? body.text : body.kind)

/** A conversation that has been read on both sides, with the page of each browser open. */
export async function createScene(people: People, { turns, target, seed }: History) {
  const run = await createRun(people, seed)
  const { server, time, browsers } = run
  const tabs = new Map<number, ModelTab>()
  const written: { text: string; at: number }[] = []

  async function tabOf(browser: number, isReloaded = false): Promise<ModelTab> {
    const before = tabs.get(browser)
    if (before && !isReloaded) return before
    before?.die()
    const opened = await run.openTab(browser)
    tabs.set(browser, opened)
    await run.list(opened)
    return opened
  }

  async function write(browser: number, isReloaded = false): Promise<Stored> {
    const tab = await tabOf(browser, isReloaded)
    // Everybody has read what was written before, so that each message links to the last one.
    await run.list(tab)
    const text = `Text ${written.length}`
    written.push({ text, at: time.now() })
    void tab.send(text)
    await time.pass(minute / 4)
    return server.log.at(-1) as Stored
  }

  for (const browser of browsers.keys()) await tabOf(browser)
  await time.pass(12 * minute)
  for (const { browser, isReloaded, isLater } of turns) {
    await write(browser, isReloaded)
    if (isLater) await time.pass(10 * minute)
  }

  const victim = server.log[target % server.log.length] as Stored
  const author = people.findIndex(({ userId }) => userId === victim.senderId)
  const reader = 1 - author
  const readers = [2 * reader, 2 * reader + 1]

  return {
    run,
    server,
    time,
    written,
    victim,
    /** A browser of the person who wrote the victim. */
    authorBrowser: 2 * author + (target % 2),
    /** Browsers of the other one. */
    readers,
    target,
    tabOf,
    write,
    /** Lists the messages in the readers' open pages, until what was found there has been looked into. */
    async look(): Promise<DecryptedMessage[][]> {
      for (let round = 0; round < 2; round++) {
        for (const browser of readers) await run.list(await tabOf(browser))
        await time.pass(12 * second)
      }
      const all: DecryptedMessage[][] = []
      for (const browser of readers) all.push(await run.list(await tabOf(browser)))
      return all
    },
    /** Shows the reader other messages than there are; the author is shown them as they are. */
    lieToReader(change: (message: Stored, place: Place) => Stored[]): void {
      const { userId } = people[reader] as People[number]
      server.state.lie = (shown, to, place) =>
        to === userId ? shown.flatMap((message) => change(message, place)) : shown
    },
    end(): void {
      for (const tab of tabs.values()) tab.die()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof createScene>>
