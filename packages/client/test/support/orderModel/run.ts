import * as fc from 'fast-check'
import { limits } from '@privity/contract/limits'
import { sortByLinks } from '../../../src/index.ts'
import { createTime, numbers } from '../sendingModel/time.ts'
import { type People, start } from './people.ts'
import type { NetworkState } from './network.ts'
import { createWorld, type ModelTab } from './world.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const one = <const T extends string | number>(...values: T[]) => fc.constantFrom(...values)
const tab = fc.nat({ max: 5 })
const browser = fc.nat({ max: 3 })

/** The events of a run; `tab` is an index into the open tabs, `browser` into two of each person. */
export const commands = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: one('send'), tab }) },
  { weight: 8, arbitrary: fc.record({ type: one('list'), tab }) },
  { weight: 4, arbitrary: fc.record({ type: one('open'), browser }) },
  { weight: 3, arbitrary: fc.record({ type: one('die'), tab }) },
  { weight: 10, arbitrary: fc.record({ type: one('wait'), ms: one(0, 1, 5, 30, 200, 5 * second, 2 * minute) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: one('wait'), ms: one(10 * minute, hour, 5 * hour, 13 * hour, 25 * hour) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: one('network'),
      browser,
      to: one('well', 'well', 'slow', 'offline', 'answersLost', 'questionsLost', 'sendsLost', 'sendAnswersLost'),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: one('discard'), tab }) },
  { weight: 3, arbitrary: fc.record({ type: one('delete'), tab, before: one(0, 1, 3) }) },
  { weight: 1, arbitrary: fc.record({ type: one('retention'), to: one(24 * hour, 12 * hour, 2 * hour) }) },
  { weight: 2, arbitrary: fc.record({ type: one('lifetime'), tab, to: one(hour, 8 * hour, 24 * hour) }) },
  { weight: 2, arbitrary: fc.record({ type: one('clock'), browser }) },
  { weight: 2, arbitrary: fc.record({ type: one('sleep', 'wake'), browser }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: one('serverAhead'),
      by: one(12 * minute, hour, 3 * hour),
      lasts: one(minute, hour / 2, 2 * hour),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: one('expiry'), minutes: one(-20, -9, -4, -1, 0, 1, 4, 9) }) },
)

export type Command = typeof commands extends fc.Arbitrary<infer T> ? T : never

/** Two people with two browsers each, and whatever happens to them. */
export async function createRun(people: People, seed: number) {
  const random = numbers(seed)
  const time = createTime(start)
  const world = createWorld(people, time, random)
  const { server } = world
  const browsers = people.flatMap((person) => [world.createBrowser(person), world.createBrowser(person)])
  const everyTab: ModelTab[] = []
  let open: ModelTab[] = []
  let count = 0
  let wasAhead = false

  async function openTab(at: number): Promise<ModelTab> {
    wake(at)
    learnTime(at)
    const opened = await world.openTab(browsers[at] as (typeof browsers)[number])
    everyTab.push(opened)
    open.push(opened)
    return opened
  }

  /** Opens the conversation and lets the answer come. */
  async function list(of: ModelTab) {
    const listing = of.list()
    await time.pass(second)
    return (await Promise.race([listing, Promise.resolve(undefined)])) ?? []
  }

  const tabAt = (at: number) => open[at % open.length]

  async function step(command: Command): Promise<void> {
    const of = 'tab' in command ? tabAt(command.tab) : undefined
    switch (command.type) {
      case 'send':
        void of?.send(`Text ${++count}`).catch(() => {})
        break
      case 'list':
        void of?.list()
        break
      case 'open':
        if (open.length < 6) await openTab(command.browser)
        break
      case 'die':
        of?.die()
        open = open.filter((each) => each !== of)
        break
      case 'wait':
        await time.pass(command.ms)
        break
      case 'expiry':
        await waitForExpiry(command.minutes * minute)
        break
      case 'network':
        setNetwork(command.browser, command.to)
        break
      case 'discard': {
        const [first] = of?.items.get() ?? []
        if (first) void of?.outbox.discard(first.id).catch(() => {})
        break
      }
      case 'delete':
        void of?.delete(command.before).catch(() => {})
        break
      case 'lifetime':
        server.state.lifetime = command.to
        for (const each of open) if (each === of || random() < 0.5) each.hearLifetime()
        break
      case 'sleep':
        sleep(command.browser)
        break
      case 'wake':
        wake(command.browser)
        break
      case 'serverAhead':
        setServerAhead(command)
        break
      case 'clock':
        setClock(command.browser)
        break
      case 'retention':
        // Once: a page that was closed meanwhile cannot know of a change that was taken back.
        if (server.state.retention === limits.retention) server.state.retention = command.to
        break
    }
    await time.pass(0)
  }

  /** Waits until shortly before or after the next message expires, when browsers judge differently. */
  async function waitForExpiry(after: number): Promise<void> {
    const due = server.log.map(({ expiresAt }) => expiresAt + after).filter((at) => at > time.now())
    if (due.length > 0) await time.pass(Math.min(...due) - time.now())
  }

  /** As a page does that asks the server for the time again. */
  function setClock(at: number): void {
    const found = browsers[at]
    if (!found) return
    found.ahead = server.state.ahead + world.createAhead()
    for (const each of open) if (each.browser === found) each.setClock(found.ahead)
  }

  /** Pages learn of a change by the answer to their next ping, and list again what they have. */
  function learnTime(at: number): void {
    const found = browsers[at]
    if (!found || found.asleepSince !== undefined) return
    if (!['well', 'slow', 'sendsLost', 'sendAnswersLost'].includes(found.network)) return
    const before = found.ahead
    world.learnTime(found)
    if (before === found.ahead) return
    for (const each of open) if (each.browser === found) void each.list()
  }

  const learnTimes = () => {
    for (const at of browsers.keys()) time.afterElsewhere(Math.round(random() * 35 * second), () => learnTime(at))
  }

  /** Its clock is wrong for a time in which nothing expires that was stored before: that would be destroyed early. */
  function setServerAhead({ by, lasts }: { by: number; lasts: number }): void {
    if (wasAhead) return
    const earliest = Math.min(...server.log.map(({ expiresAt }) => expiresAt).filter((at) => at > time.now()))
    if (earliest < time.now() + by + lasts + hour / 2) return
    wasAhead = true
    server.state.ahead = by
    learnTimes()
    time.afterElsewhere(lasts, () => {
      server.state.ahead = 0
      learnTimes()
      time.afterElsewhere(hour + minute / 2, server.correctDates)
    })
  }

  function sleep(at: number): void {
    const found = browsers[at]
    if (!found || found.asleepSince !== undefined) return
    setNetwork(at, 'offline')
    found.asleepSince = time.now()
  }

  function wake(at: number): void {
    const found = browsers[at]
    if (found?.asleepSince === undefined) return
    found.slept += time.now() - found.asleepSince
    found.asleepSince = undefined
    for (const run of found.due.splice(0)) run()
    setNetwork(at, 'well')
  }

  function setNetwork(at: number, to: NetworkState): void {
    const found = browsers[at]
    if (!found || found.asleepSince !== undefined) return
    const isBack = found.network === 'offline' && to !== 'offline'
    found.network = to
    learnTime(at)
    if (!isBack) return
    for (const each of open) if (each.browser === found) reconnect(each)
  }

  function reconnect(of: ModelTab): void {
    of.outbox.flush()
    void of.list()
  }

  /** Lets the network recover and time pass, then returns what an honest server must not be blamed for. */
  async function finish(): Promise<string[]> {
    const wrong: string[] = []
    for (const at of browsers.keys()) {
      wake(at)
      setNetwork(at, 'well')
    }
    await time.pass(minute)
    for (const at of browsers.keys()) await openTab(at)
    for (const each of open) reconnect(each)
    await time.pass(2 * minute)
    for (const each of open) {
      const listed = await list(each)
      const known = listed.map(({ id }) => id)
      const living = server.shownTo(each.browser.person.userId).slice(-limits.messagesPage)
      // A message that is about to expire, or that the page expires earlier for a shorter lifetime, may be gone.
      const isSure = ({ storedAt, lifetime, expiresAt }: (typeof living)[number]) =>
        Math.min(expiresAt, storedAt + Math.min(lifetime, server.state.retention)) >
        server.now() + limits.clockTolerance + minute
      for (const message of living.filter(isSure))
        if (!known.includes(message.id)) wrong.push(`not shown: ${message.seq}`)
      if (new Set(known).size !== known.length) wrong.push('shown twice')
      if (sortByLinks(listed) !== listed) wrong.push('in another order than the server stored them')
      for (const { id, seq, body } of listed)
        if (server.log.some((stored) => stored.id === id && !stored.deletion !== (body.kind === 'text')))
          wrong.push(`deleted on one side only: ${seq}`)
      if (each.marks().size > 0) wrong.push(`marked: ${JSON.stringify([...each.marks()])}`)
    }
    for (const each of everyTab) {
      wrong.push(...each.alarms, ...each.broughtBack)
      each.die()
    }
    return [...new Set(wrong)]
  }

  return { step, finish, openTab, list, sleep, wake, time, server, browsers, random }
}

export type Run = Awaited<ReturnType<typeof createRun>>
