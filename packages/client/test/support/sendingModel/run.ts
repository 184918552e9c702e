import * as fc from 'fast-check'
import { isCallError } from '../../../src/index.ts'
import type { StoredItem } from '../../../src/messages/outbox/outboxStore.ts'
import { connectionIds, createBrowser, type Keys, type ModelTab } from './browser.ts'
import { createServer, retention } from './server.ts'
import { createTime, numbers } from './time.ts'

const second = 1_000
const hour = 60 * 60 * second

const one = <const T extends string | number>(...values: T[]) => fc.constantFrom(...values)
const tab = fc.nat({ max: 2 })
const connection = fc.nat({ max: 1 })

/** The events of a run; `tab` is an index into the open tabs. */
export const commands = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: one('press'), tab, connection, isKept: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ type: one('write'), tab, connection }) },
  { weight: 4, arbitrary: fc.record({ type: one('open') }) },
  { weight: 4, arbitrary: fc.record({ type: one('die'), tab }) },
  {
    weight: 10,
    arbitrary: fc.record({ type: one('wait'), ms: one(0, 1, 2, 5, 10, 30, 200, 5 * second, 70 * second) }),
  },
  { weight: 1, arbitrary: fc.record({ type: one('wait'), ms: one(hour, 12 * hour, 25 * hour) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: one('device'), to: one('well', 'well', 'slow', 'refuses', 'lies', 'faulty') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: one('network'),
      to: one('well', 'well', 'slow', 'offline', 'answersLost', 'questionsLost', 'serverDown'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: one('retry'), tab }) },
  { weight: 1, arbitrary: fc.record({ type: one('discard'), tab }) },
  { weight: 1, arbitrary: fc.record({ type: one('empty') }) },
)

export type Command = typeof commands extends fc.Arbitrary<infer T> ? T : never

/** One Enter: what it sent, and what the person was told of it. */
interface Press {
  text: string
  tabId: string
  connectionId: string
  at: number
  id?: string
  told: 'nothing' | 'kept' | 'refused'
  discarded?: true
  /** Two tabs have tried it again at a time: its place among the others may be either. */
  isContested?: true
}

/** A press, or that it is tried again: messages are sent in this order. */
interface Turn {
  press: Press
  tabId: string
  at: number
}

export function createRun(keys: Keys, seed: number) {
  const random = numbers(seed)
  const time = createTime(Date.UTC(2026, 0, 1))
  const server = createServer(time, keys.sender.userId)
  const browser = createBrowser({ time, random, keys, server }, { failed: toldToHaveFailed, left })
  const presses: Press[] = []
  const turns: Turn[] = []
  /** Texts that a person was told are kept as drafts, by tab and conversation. */
  const written = new Map<string, string>()
  const wrong: string[] = []
  const ids = new Map<string, Press>()
  /** Texts of the messages that any tab has shown as on their way, by id. */
  const texts = new Map<string, string>()
  /** The last device operation of each tab and conversation: a page awaits one before it starts the next. */
  const queues = new Map<string, Promise<unknown>>()
  let open: ModelTab[] = [browser.openTab()]
  let count = 0

  const tabAt = (at: number) => open[at % open.length]
  const keyOf = ({ id }: ModelTab, connectionId: string) => `${id} ${connectionId}`
  const inTurn = (of: ModelTab, connectionId: string, work: () => Promise<void>) => {
    const key = keyOf(of, connectionId)
    queues.set(key, (queues.get(key) ?? Promise.resolve()).then(work, work))
  }

  const failedIn = (of: ModelTab) => of.items.get().filter(({ state }) => state === 'failed')
  const isStored = (id: string) => server.log.some((each) => each.id === id)

  function toldToHaveFailed(id: string, error: unknown): void {
    if (isCallError(error, 'TOO_OLD') && isStored(id)) wrong.push(`said not sent: ${ids.get(id)?.text}`)
  }

  /** The next tab must know: what the store has may be all that is left. */
  function left(id: string, kept: StoredItem | undefined): void {
    if (kept && !kept.repeatableUntil && !kept.mayLeave) wrong.push(`left unmarked: ${ids.get(id)?.text}`)
  }

  function watch(of: ModelTab): void {
    of.items.subscribe(() => {
      if (!of.isAlive()) return
      for (const { id, state, code, body } of of.items.get()) {
        if (body.kind === 'text') texts.set(id, body.text)
        const press = ids.get(id)
        if (state !== 'failed' || !press) continue
        const isOld = time.now() - press.at > retention - 2 * 60 * second
        if ((code !== 'TOO_OLD' && code !== 'ARRIVAL_UNKNOWN') || !isOld)
          wrong.push(`false alarm ${code}: ${press.text}`)
      }
    })
  }
  watch(open[0] as ModelTab)

  async function press(of: ModelTab, connectionId: string, isKept: boolean): Promise<void> {
    const made: Press = { text: `Text ${++count}`, tabId: of.id, connectionId, at: time.now(), told: 'nothing' }
    presses.push(made)
    inTurn(of, connectionId, async () => {
      if (!of.isAlive()) return
      // The field holds this text now.
      written.delete(keyOf(of, connectionId))
      if (isKept) await of.drafts.set(connectionId, made.text).catch(() => {})
      turns.push({ press: made, tabId: of.id, at: time.now() })
      try {
        const item = await of.send(connectionId, made.text)
        made.told = 'kept'
        made.id = item.id
        ids.set(item.id, made)
      } catch {
        made.told = 'refused'
      }
    })
  }

  /** Where no tab is open, nothing could bring back what waits. */
  async function empty(): Promise<void> {
    if (open.length === 0) return
    const before = { ...browser.state }
    browser.state.device = 'well'
    // A tab that failed to read what another one left reads again once it has sent its own, which takes a while.
    if (before.network === 'slow') browser.state.network = 'well'
    // A store that refused everything is not marked before it takes something.
    for (const each of open) each.outbox.flush()
    await time.pass(90 * second)
    await browser.empty()
    written.clear()
    // Nothing tells the tabs: each reads again when it has sent, or tries again what waits, or what has failed.
    for (const { id } of open.flatMap(failedIn)) Object.assign(ids.get(id) ?? {}, { discarded: true })
    await time.pass(80 * second)
    Object.assign(browser.state, before)
  }

  async function step(command: Command): Promise<void> {
    const of = 'tab' in command ? tabAt(command.tab) : undefined
    switch (command.type) {
      case 'press':
        if (of) await press(of, connectionIds[command.connection] as string, command.isKept)
        break
      case 'write': {
        if (!of) break
        const connectionId = connectionIds[command.connection] as string
        const text = `Draft ${++count}`
        inTurn(of, connectionId, async () => {
          if (!of.isAlive()) return
          written.delete(keyOf(of, connectionId))
          await of.drafts.set(connectionId, text).then(
            () => void written.set(keyOf(of, connectionId), text),
            () => {},
          )
        })
        break
      }
      case 'open':
        if (open.length < 3) {
          const opened = browser.openTab()
          watch(opened)
          open.push(opened)
        }
        break
      case 'die':
        of?.die()
        open = open.filter((each) => each !== of)
        break
      case 'wait':
        await (command.ms < hour ? time.pass(command.ms) : time.sleep(command.ms))
        break
      case 'device':
        browser.state.device = command.to
        break
      case 'network':
        browser.state.network = command.to
        break
      case 'retry': {
        const [failed] = of ? failedIn(of) : []
        const press = failed && ids.get(failed.id)
        if (!of || !press) break
        if (open.some((each) => failedIn(each).every(({ id }) => id !== failed?.id))) press.isContested = true
        turns.push({ press, tabId: of.id, at: time.now() })
        void of.outbox.retry(failed.id).catch(() => {})
        break
      }
      case 'discard': {
        const [first] = of?.items.get() ?? []
        const found = first && ids.get(first.id)
        if (!found) break
        found.discarded = true
        void of?.outbox.discard(first.id).catch(() => {})
        break
      }
      case 'empty':
        await empty()
        break
    }
    await time.pass(0)
  }

  const arrivalsOf = (text: string) => server.log.filter(({ id }) => texts.get(id) === text).length

  /** The messages that arrived by this tab's turns; an earlier turn counts for what arrived before a later one. */
  function inOrder(tabId: string, connectionId: string): void {
    const arrived = turns.flatMap((turn) => {
      const place = server.log.findIndex((each) => each.id === turn.press.id)
      const at = server.log[place]?.at ?? 0
      const last = turns.findLast((each) => each.press === turn.press && each.at <= at)
      const isFree = turn.press.isContested ?? turn.press.discarded
      const isMine = turn.tabId === tabId && turn.press.connectionId === connectionId && !isFree
      return turn === last && isMine ? [{ place, text: turn.press.text }] : []
    })
    if (arrived.some(({ place }, at) => at > 0 && place < (arrived[at - 1]?.place ?? 0)))
      wrong.push(`out of order: ${arrived.map(({ text }) => text).join(', ')}`)
  }

  /** Lets device and network recover and time pass, then returns what is wrong. */
  async function finish(): Promise<string[]> {
    browser.state.device = browser.state.network = 'well'
    await time.pass(60 * second)
    const last = browser.openTab()
    watch(last)
    for (const each of [...open, last]) each.outbox.flush()
    await time.pass(120 * second)
    const left = new Map(last.items.get().map((item) => [item.id, item.state]))
    for (const each of presses) {
      const receiver = arrivalsOf(each.text)
      if (receiver > 1) wrong.push(`doubled: ${each.text}`)
      if (each.told === 'refused' && receiver > 0) wrong.push(`arrived although refused: ${each.text}`)
      if (each.told === 'kept' && receiver === 0 && !each.discarded && left.get(each.id as string) !== 'failed')
        wrong.push(`lost: ${each.text} (${left.get(each.id as string) ?? 'gone'})`)
    }
    for (const { id, code } of [...open, last].flatMap((each) => each.items.get()))
      if (code === 'TOO_OLD' && isStored(id)) wrong.push(`shown as not sent: ${ids.get(id)?.text}`)
    for (const {
      tabId,
      press: { connectionId },
    } of turns)
      inOrder(tabId, connectionId)
    for (const connectionId of connectionIds) await checkDrafts(last, connectionId)
    for (const each of [...open, last]) each.die()
    return [...new Set(wrong)]
  }

  async function checkDrafts(last: ModelTab, connectionId: string): Promise<void> {
    let kept = ''
    void last.drafts.get(connectionId).then((found) => (kept = found))
    await time.pass(second)
    const drafts = kept.split('\n')
    for (const [key, text] of written)
      if (key.endsWith(connectionId) && !drafts.includes(text)) wrong.push(`draft lost: ${text}`)
    for (const text of drafts) if (arrivalsOf(text) > 0) wrong.push(`sent, and still a draft: ${text}`)
  }

  return { step, finish }
}
