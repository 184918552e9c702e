import { limits } from '@privity/contract/limits'
import { sortByLinks } from '../../../src/index.ts'
import { hour, type Scene, second, textOf } from './scene.ts'
import { type Stored, withoutText } from './server.ts'

/** Tells a lie about messages that were read, and returns what of it nobody noticed. */
type Lie = (scene: Scene) => Promise<string[]>

/** Shows the numbers of messages as `numberOf` says, to pages that are loaded anew. */
const numberAnew =
  (numberOf: (message: Stored, scene: Scene) => number): Lie =>
  async (scene) => {
    scene.lieToReader((message) => [{ ...message, seq: numberOf(message, scene) }])
    const wrong: string[] = []
    for (const browser of scene.readers) {
      const texts = sortByLinks(await scene.run.list(await scene.tabOf(browser, true))).map(textOf)
      if (texts.join() !== scene.written.map(({ text }) => text).join()) wrong.push(`order: ${texts.join()}`)
    }
    return wrong
  }

/** Shows messages otherwise than before, to pages that stay open. */
const changeLater =
  (change: (message: Stored, scene: Scene) => Stored): Lie =>
  async (scene) => {
    await scene.look()
    scene.server.state.lie = (shown) => shown.map((message) => change(message, scene))
    const wrong: string[] = []
    for (const messages of await scene.look())
      if (messages.map(textOf).join() !== scene.written.map(({ text }) => text).join())
        wrong.push('a message is hidden, or has another place')
    return wrong
  }

async function redate({ run, server, readers, written, tabOf }: Scene): Promise<string[]> {
  server.state.lie = (shown) =>
    shown.map((message) => ({
      ...message,
      createdAt: message.createdAt + 3 * hour,
      expiresAt: message.expiresAt + 9 * hour,
    }))
  const wrong: string[] = []
  for (const browser of readers) {
    for (const message of await run.list(await tabOf(browser, true))) {
      const at = written.find(({ text }) => text === textOf(message))?.at ?? 0
      if (Math.abs((message.signed?.sentAt ?? 0) - at) > limits.clockTolerance + 6 * second)
        wrong.push('another time than it was written at')
      if (message.expiresAt > message.createdAt + limits.retention) wrong.push('lives longer than messages do')
    }
  }
  return wrong
}

/** Shows a message again that has expired. */
async function repeat({ run, server, time, readers, victim, look, tabOf }: Scene): Promise<string[]> {
  await look()
  await time.pass(limits.retention + hour)
  const createdAt = time.now()
  const again = { ...victim, createdAt, expiresAt: createdAt + limits.retention, seq: server.log.length + 1 }
  server.state.lie = (shown) => [...shown, again]
  const wrong: string[] = []
  for (const browser of readers)
    for (const isReloaded of [false, true])
      if ((await run.list(await tabOf(browser, isReloaded))).length > 0) wrong.push('shown again')
  return wrong
}

/** As `repeat`, right after it has expired in a page, dated as if a clock had been behind. */
async function repeatAtOnce({ run, server, time, readers, victim, target, look, tabOf }: Scene): Promise<string[]> {
  await look()
  const browser = readers[target % 2] as number
  const tab = await tabOf(browser)
  const place = victim.place
  const signed = (await run.list(tab)).find(({ id }) => id === victim.id)?.signed
  await time.pass(victim.expiresAt - tab.browser.ahead + second - time.now())
  const createdAt = (signed?.sentAt ?? 0) + limits.clockTolerance
  server.state.lie = () =>
    server.log.map((each) =>
      each.place === place ? { ...each, createdAt, expiresAt: createdAt + limits.retention } : each,
    )
  const wrong: string[] = []
  for (const isReloaded of [false, true])
    for (const { id } of await run.list(await tabOf(browser, isReloaded)))
      if (id === victim.id) wrong.push('shown again')
  return wrong
}

/** Puts a page of messages that have expired behind those that live. */
async function fillPage({ run, server, time, authorBrowser, readers, write, look, tabOf }: Scene): Promise<string[]> {
  while (server.log.length < limits.messagesPage) await write(authorBrowser)
  const expired = [...server.log]
  await look()
  await time.pass(limits.retention + hour)
  const { id } = await write(authorBrowser)
  const createdAt = time.now()
  const again = expired.map((each) => ({
    ...each,
    createdAt,
    expiresAt: createdAt + limits.retention,
    seq: 500 + each.seq,
  }))
  server.state.lie = (shown) => [...shown, ...again]
  const wrong: string[] = []
  for (const browser of readers)
    for (const isReloaded of [false, true]) {
      const tab = await tabOf(browser, isReloaded)
      if ((await run.list(tab)).map((each) => each.id).join() !== id) wrong.push('another message than the living one')
      if (tab.alarms.length > 0) wrong.push(`alarms: ${tab.alarms.join()}`)
    }
  return wrong
}

async function double({ server, victim, look }: Scene): Promise<string[]> {
  server.state.lie = (shown) => [...shown, { ...victim, seq: 500 }]
  const wrong: string[] = []
  for (const messages of await look())
    if (messages.filter(({ id }) => id === victim.id).length !== 1) wrong.push('shown twice')
  return wrong
}

/** Calls a message deleted that nobody has deleted, by the signature of another deletion. */
async function claimDeletion({ server, victim, authorBrowser, write, tabOf, look }: Scene): Promise<string[]> {
  const other = await write(authorBrowser)
  void (await tabOf(authorBrowser)).delete(0)
  await look()
  server.state.lie = (shown) =>
    shown.map((each) =>
      each.id === victim.id ? { ...each, content: withoutText(each), deletion: other.deletion } : each,
    )
  const wrong: string[] = []
  for (const messages of await look())
    if (messages.find(({ id }) => id === victim.id)?.body.kind !== 'unreadable') wrong.push('a claim is believed')
  return wrong
}

/** Shows a message as it was before its author deleted it, to pages that know of the deletion. */
async function bringBack({ run, server, authorBrowser, readers, write, tabOf, look }: Scene): Promise<string[]> {
  const before = { ...(await write(authorBrowser)) }
  await look()
  void (await tabOf(authorBrowser)).delete(0)
  await look()
  server.state.lie = (shown) => shown.map((each) => (each.id === before.id ? before : each))
  const wrong: string[] = []
  for (const browser of readers)
    for (const { id, body } of await run.list(await tabOf(browser)))
      if (id === before.id && body.kind !== 'deleted') wrong.push('shown again')
  return wrong
}

export const lies: Record<string, Lie> = {
  reorder: async (scene) => {
    const places = scene.server.log.map(({ place }) => place).toSorted(() => scene.run.random() - 0.5)
    return numberAnew(({ place }) => (places[place] as number) + 1)(scene)
  },
  renumber: numberAnew(({ seq }) => 10 * seq + 3),
  renumberLater: changeLater((message, { server }) => ({ ...message, seq: server.log.length - message.place })),
  redateFar: changeLater((message) => ({ ...message, createdAt: message.createdAt + 30 * hour })),
  redate,
  repeat,
  repeatAtOnce,
  fillPage,
  double,
  claimDeletion,
  bringBack,
}
