import * as fc from 'fast-check'
import { limits } from '@privity/contract/limits'
import { type DecryptedMessage, sortByLinks } from '../../../src/index.ts'
import { createRun } from './run.ts'
import type { Stored } from './server.ts'
import type { People } from './people.ts'
import type { ModelTab } from './world.ts'

const minute = 60_000
const hour = 60 * minute

export type Lie =
  | 'drop'
  | 'dropAfterReload'
  | 'release'
  | 'reorder'
  | 'redate'
  | 'repeat'
  | 'renumber'
  | 'renumberLater'
  | 'redateFar'
  | 'double'

const lies: Lie[] = [
  'drop',
  'dropAfterReload',
  'release',
  'reorder',
  'redate',
  'repeat',
  'renumber',
  'renumberLater',
  'redateFar',
  'double',
]

/** A conversation, by who writes from which browser and whether the page was loaded anew before, and a lie about it. */
export const histories = fc.record({
  lie: fc.constantFrom(...lies),
  turns: fc.array(fc.record({ browser: fc.nat({ max: 3 }), isReloaded: fc.boolean(), isLater: fc.boolean() }), {
    minLength: 3,
    maxLength: 14,
  }),
  target: fc.nat(),
  seed: fc.nat(),
})

type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

/** Returns what of the lie nobody noticed. */
export async function liesUnnoticed(people: People, { lie, turns, target, seed }: History): Promise<string[]> {
  const run = await createRun(people, seed)
  const { server, time } = run
  const tabs = new Map<number, ModelTab>()
  const written: { text: string; at: number }[] = []
  const wrong: string[] = []

  async function tabOf(browser: number, isReloaded = false): Promise<ModelTab> {
    const before = tabs.get(browser)
    if (before && !isReloaded) return before
    before?.die()
    const opened = await run.openTab(browser)
    tabs.set(browser, opened)
    await run.list(opened)
    return opened
  }

  async function write(browser: number, isReloaded: boolean): Promise<Stored> {
    const tab = await tabOf(browser, isReloaded)
    // Everybody has read what was written before, so that each message links to the last one.
    await run.list(tab)
    const text = `Text ${written.length}`
    written.push({ text, at: time.now() })
    void tab.send(text)
    await time.pass(minute / 4)
    return server.log.at(-1) as Stored
  }

  const textOf = ({ body }: DecryptedMessage) => (body.kind === 'text' ? body.text : body.kind)

  for (const browser of [0, 1, 2, 3]) await tabOf(browser)
  await time.pass(2 * minute)
  for (const { browser, isReloaded, isLater } of turns) {
    await write(browser, isReloaded)
    if (isLater) await time.pass(10 * minute)
  }

  const victim = server.log[target % server.log.length] as Stored
  const author = people.findIndex(({ userId }) => userId === victim.senderId)
  const reader = 1 - author
  const readers = [2 * reader, 2 * reader + 1]
  const readerId = (people[reader] as People[number]).userId

  /** Lists the messages in the readers' open pages, with the marks, which come after the first list. */
  async function look(): Promise<DecryptedMessage[][]> {
    const all: DecryptedMessage[][] = []
    for (const browser of [...readers, ...readers]) all.push(await run.list(await tabOf(browser)))
    return all.slice(readers.length)
  }

  const hide = (from: number) => (shown: Stored[], userId: string) =>
    userId === readerId ? shown.filter(({ place }) => place !== from) : shown

  switch (lie) {
    case 'drop':
    case 'dropAfterReload':
    case 'release': {
      // A message that nobody has been shown yet, and one after it.
      const browser = 2 * author + (target % 2)
      server.state.lie = hide(server.log.length)
      const hidden = await write(browser, false)
      await time.pass(2 * minute)
      await write(browser, lie === 'dropAfterReload')
      for (const messages of await look())
        if (!messages.some(({ isMissingBefore }) => isMissingBefore))
          wrong.push('a message that is missing has no mark')
      for (const at of readers)
        if ((await tabOf(at)).alarms.join() !== 'MESSAGE_MISSING')
          wrong.push(`alarms: ${(await tabOf(at)).alarms.join()}`)
      if (lie !== 'release') break
      server.state.lie = (shown) => shown
      for (const messages of await look()) {
        if (messages.some(({ isMissingBefore }) => isMissingBefore)) wrong.push('the mark stays')
        const late = messages.filter(({ isLate }) => isLate).map(({ id }) => id)
        if (late.join() !== hidden.id) wrong.push(`came late: ${late.length}`)
      }
      break
    }
    case 'reorder':
    case 'renumber': {
      const places = server.log.map(({ place }) => place).toSorted(() => run.random() - 0.5)
      server.state.lie = (shown, userId) =>
        userId === readerId
          ? shown.map((message) => ({
              ...message,
              seq: lie === 'reorder' ? (places[message.place] as number) + 1 : 10 * message.seq + 3,
            }))
          : shown
      for (const browser of readers) {
        const tab = await tabOf(browser, true)
        const texts = sortByLinks(await run.list(tab)).map(textOf)
        if (texts.join() !== written.map(({ text }) => text).join()) wrong.push(`order: ${texts.join()}`)
      }
      break
    }
    case 'redate':
      server.state.lie = (shown) =>
        shown.map((message) => ({
          ...message,
          createdAt: message.createdAt + 3 * hour,
          expiresAt: message.expiresAt + 9 * hour,
        }))
      for (const browser of readers) {
        const tab = await tabOf(browser, true)
        for (const message of await run.list(tab)) {
          const at = written.find(({ text }) => text === textOf(message))?.at ?? 0
          if (Math.abs((message.signed?.sentAt ?? 0) - at) > 6_000) wrong.push('another time than it was written at')
          if (message.expiresAt > message.createdAt + limits.retention) wrong.push('lives longer than messages do')
        }
      }
      break
    case 'repeat': {
      await look()
      await time.pass(limits.retention + hour)
      const again = {
        ...victim,
        createdAt: time.now(),
        expiresAt: time.now() + limits.retention,
        seq: server.log.length + 1,
      }
      server.state.lie = (shown) => [...shown, again]
      for (const browser of readers)
        for (const isReloaded of [false, true])
          if ((await run.list(await tabOf(browser, isReloaded))).length > 0) wrong.push('shown again')
      break
    }
    case 'renumberLater':
    case 'redateFar':
      await look()
      server.state.lie = (shown) =>
        shown.map((message) =>
          lie === 'redateFar'
            ? { ...message, createdAt: message.createdAt + 30 * hour }
            : { ...message, seq: 7 * message.seq },
        )
      for (const messages of await look())
        if (messages.map(textOf).join() !== written.map(({ text }) => text).join()) wrong.push('a message is hidden')
      break
    case 'double':
      server.state.lie = (shown) => [...shown, { ...victim, seq: 500 }]
      for (const messages of await look())
        if (messages.filter(({ id }) => id === victim.id).length !== 1) wrong.push('shown twice')
      break
  }
  for (const tab of tabs.values()) tab.die()
  return [...new Set(wrong)]
}
