import { messageLink, toBase64url } from '@privity/e2ee'
import { beforeAll, expect, test } from 'vitest'
import { CallError, createMemoryDevice } from '../../../src/index.ts'
import { anna, createDialogue, type Dialogue } from '../../support/orderModel/dialogue.ts'
import { createPeople, type People } from '../../support/orderModel/people.ts'
import { hour, minute, second, textOf } from '../../support/orderModel/scene.ts'
import type { Stored } from '../../support/orderModel/server.ts'
import { watchCrypto } from '../../support/sendingModel/time.ts'
import type { ModelTab } from '../../support/orderModel/world.ts'

let people: People
beforeAll(async () => {
  people = await createPeople()
  return watchCrypto()
})

/** From now on the server shows nobody these messages. */
function hide({ server }: Dialogue, ...places: number[]): void {
  server.state.lie = (shown) => shown.filter(({ place }) => !places.includes(place))
}

/** The texts before which the page marks one as missing, and its alarms. */
async function found({ look }: Dialogue, tab: ModelTab) {
  const marked = (await look(tab)).filter(({ isMissingBefore }) => isMissingBefore)
  return { marked: marked.map(textOf), alarms: tab.alarms }
}

const missingBefore = (...texts: string[]) => ({ marked: texts, alarms: ['MESSAGE_MISSING'] })

async function signedOf({ list }: Dialogue, tab: ModelTab, text: string) {
  return (await list(tab)).find((each) => textOf(each) === text)?.signed
}

async function linksOf({ server }: Dialogue): Promise<string[]> {
  return Promise.all(server.log.map(({ content }) => messageLink(content)))
}

async function reload({ openTab, list }: Dialogue, tab: ModelTab): Promise<ModelTab> {
  tab.die()
  const reloaded = await openTab(anna)
  await list(reloaded)
  return reloaded
}

test('a message names the last one sent, although another own browser has not been shown it', async () => {
  const dialogue = await createDialogue(people)
  const { send, openBoth, openTab, list } = dialogue
  const [phone, ben] = await openBoth()
  const laptop = await openTab(anna + 1)
  await send(phone, 'One')
  for (const tab of [laptop, ben]) await list(tab)
  hide(dialogue, 1)
  await send(phone, 'Hidden')
  await send(laptop, 'Three')
  const reloaded = await reload(dialogue, phone)
  await send(reloaded, 'Four')
  const [, hidden, third] = await linksOf(dialogue)
  expect(await signedOf(dialogue, reloaded, 'Four')).toMatchObject({ previous: third, otherPrevious: hidden })
  expect(await found(dialogue, ben)).toEqual(missingBefore('Four'))
})

test('what two own browsers sent without knowing of each other is named by the next message', async () => {
  const dialogue = await createDialogue(people)
  const { send, openBoth, openTab, list } = dialogue
  const [phone] = await openBoth()
  const laptop = await openTab(anna + 1)
  await send(phone, 'One')
  await list(laptop)
  laptop.browser.network = 'sendsLost'
  const sending = laptop.send('Three')
  await send(phone, 'Two')
  laptop.browser.network = 'well'
  laptop.outbox.flush()
  await sending
  await list(laptop)
  for (const text of ['Four', 'Five']) await send(laptop, text)
  const [, second, third, fourth] = await linksOf(dialogue)
  const signed = await Promise.all(['Four', 'Five'].map((text) => signedOf(dialogue, laptop, text)))
  expect(new Set([signed[0]?.previous, signed[0]?.otherPrevious])).toEqual(new Set([second, third]))
  expect(signed[1]).toMatchObject({ previous: fourth, otherPrevious: undefined })
})

test('a message names the last one sent, although the newest and the oldest unnamed are others', async () => {
  const dialogue = await createDialogue(people)
  const { server, browsers, send, openBoth, openTab, list } = dialogue
  const [first] = browsers as [Dialogue['browsers'][number]]
  const addBrowser = () => openTab(browsers.push({ ...first, device: createMemoryDevice(), due: [] }) - 1)
  const [phone, ben] = await openBoth()
  const [laptop, tablet, desktop] = [await openTab(anna + 1), await addBrowser(), await addBrowser()]
  await send(phone, 'One')
  for (const tab of [laptop, tablet, desktop, ben]) await list(tab)
  // The server keeps Anna's browsers apart as it likes, and hides two messages from Ben.
  let shownToAnna: number[] = []
  server.state.lie = (shown, to) =>
    shown.filter(({ place }) =>
      to === people[0].userId ? place === 0 || shownToAnna.includes(place) : ![2, 3].includes(place),
    )
  await send(tablet, 'Oldest unnamed')
  await send(phone, 'Hidden')
  shownToAnna = [2]
  await list(laptop)
  await send(laptop, 'Names it, hidden')
  shownToAnna = []
  await send(desktop, 'Newest')
  shownToAnna = [1, 2, 3, 4, 5]
  const reloaded = await reload(dialogue, phone)
  await send(reloaded, 'Six')
  const [, , hidden, , newest] = await linksOf(dialogue)
  expect(await signedOf(dialogue, reloaded, 'Six')).toMatchObject({ previous: newest, otherPrevious: hidden })
  expect(await found(dialogue, ben)).toEqual(missingBefore('Six'))
})

/** As both hear it, or as the server claims for the next message alone. */
function setLifetime({ server }: Dialogue, lifetime: number, ...tabs: ModelTab[]): void {
  server.state.lifetime = lifetime
  for (const tab of tabs) tab.hearLifetime()
}

test.each(['both chose', 'the server claims'])(
  'a message names past those of a shorter lifetime that %s',
  async (who) => {
    const dialogue = await createDialogue(people)
    const { send, openBoth, list } = dialogue
    const [tab, ben] = await openBoth()
    const told = who === 'both chose' ? [tab, ben] : []
    await send(tab, 'One')
    await list(ben)
    hide(dialogue, 1, 2)
    await send(tab, 'Hidden, of 24 hours')
    setLifetime(dialogue, hour, ...told)
    await send(tab, 'Hidden, of 1 hour')
    setLifetime(dialogue, 24 * hour, ...told)
    await send(tab, 'Four')
    expect(await found(dialogue, ben)).toEqual(missingBefore('Four'))
  },
)

test('after a reload a message names the last living one, although a later one has expired', async () => {
  const dialogue = await createDialogue(people)
  const { send, openBoth, list, look, time } = dialogue
  const [tab, ben] = await openBoth()
  await send(tab, 'One')
  await list(ben)
  hide(dialogue, 1, 2)
  await send(tab, 'Hidden, of 24 hours')
  setLifetime(dialogue, hour, tab, ben)
  await send(tab, 'Hidden, of 1 hour')
  await time.pass(hour + 5 * minute)
  await look(ben)
  const reloaded = await reload(dialogue, tab)
  await send(reloaded, 'Four')
  const [, hidden] = await linksOf(dialogue)
  expect(await signedOf(dialogue, reloaded, 'Four')).toMatchObject({ previous: hidden })
  expect(await found(dialogue, ben)).toEqual(missingBefore('Four'))
})

test('a message names what only a deleted one has named', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list, time } = dialogue
  const [tab, ben] = await openBoth()
  await send(tab, 'One')
  await list(ben)
  server.state.lie = (shown, to) =>
    to === people[1].userId ? shown.filter(({ place, deletion }) => place !== 1 && (place !== 2 || deletion)) : shown
  await send(tab, 'Hidden')
  const reloaded = await reload(dialogue, tab)
  await send(reloaded, 'Deleted')
  await list(reloaded)
  void reloaded.delete(0)
  await time.pass(minute)
  await send(reloaded, 'Four')
  expect(await found(dialogue, ben)).toEqual(missingBefore('Four'))
})

test.each([
  ['its answer is lost', new CallError('OFFLINE')],
  ['the answer says that its id is taken', new CallError('MESSAGE_ID_TAKEN', { status: 409 })],
])('a message is named, although %s and its sender is shown it as expired', async (_what, refusal) => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, list, time } = dialogue
  const [tab, ben] = await openBoth()
  await send(tab, 'One')
  await list(ben)
  const expired = (stored: Stored) => ({ ...stored, expiresAt: 1 })
  let isShown = true
  server.state.answer = (stored) => {
    if (stored.place === 1) throw refusal
    return stored
  }
  server.state.lie = (shown, to, where) =>
    shown.flatMap((each) => {
      if (each.place !== 1) return [each]
      return isShown && to === people[0].userId && where !== 'notice' ? [expired(each)] : []
    })
  await send(tab, 'Hidden')
  await tab.receive(expired(server.log[1] as Stored))
  await time.pass(minute)
  isShown = false
  expect(tab.items.get()).toEqual([])
  await send(tab, 'Three')
  expect((await found(dialogue, ben)).marked).toEqual(['Three'])
})

test('a message of the page before is named, although only a notice says that it arrived', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  const [tab, ben] = await openBoth()
  await send(tab, 'One')
  await list(ben)
  hide(dialogue, 1)
  tab.browser.network = 'sendAnswersLost'
  tab.send('Hidden').catch(() => {})
  await time.pass(2 * second)
  tab.die()
  tab.browser.network = 'questionsLost'
  const reloaded = await openTab(anna)
  await time.pass(2 * second)
  await reloaded.receive(server.withEnvelope(server.log[1] as Stored))
  expect(reloaded.items.get()).toEqual([])
  reloaded.browser.network = 'well'
  const last = await reload(dialogue, reloaded)
  await send(last, 'Three')
  expect(await found(dialogue, ben)).toEqual(missingBefore('Three'))
})

/** Another than what its sender signed. */
const forged = (message: Stored): Stored => ({ ...message, deletion: toBase64url(new Uint8Array(68)) })

test.each([
  ['is lost', false],
  ['is lost before the page has listed it', true],
  ['is forged', false],
  ['is right', false],
])('what a deleted message named is named anew if the answer %s', async (answer, isHandedOver) => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  const [tab, ben] = await openBoth()
  await send(tab, 'One')
  await list(ben)
  let before: Stored | undefined
  server.state.lie = (shown, to, where) => {
    if (to === people[1].userId) return shown.filter(({ place, deletion }) => place !== 1 && (place !== 2 || deletion))
    if (answer === 'is right') return shown
    if (where === 'notice') return shown.filter(({ deletion }) => !deletion)
    return shown.map((each) => (each.place === 2 ? (before ?? each) : each))
  }
  await send(tab, 'Hidden')
  const reloaded = await reload(dialogue, tab)
  await send(reloaded, 'Deleted')
  await list(reloaded)
  before = { ...(server.log[2] as Stored) }
  const { delete: deleted } = server
  server.delete = (...given) => (answer === 'is forged' ? forged(deleted(...given)) : deleted(...given))
  let page = reloaded
  if (isHandedOver) {
    page = await openTab(anna)
    for (const [id, message] of reloaded.shown) page.shown.set(id, message)
    reloaded.die()
  }
  if (answer.startsWith('is lost')) page.browser.network = 'answersLost'
  page.delete(0).catch(() => {})
  await time.pass(minute)
  page.browser.network = 'well'
  await list(page)
  await send(page, 'Four')
  expect(await found(dialogue, ben)).toEqual(missingBefore('Four'))
})

test('a message sealed by a clock that was ahead is not named for longer than it lives', async () => {
  const dialogue = await createDialogue(people)
  const { server, send, openBoth, openTab, list, time } = dialogue
  const [tab, before] = await openBoth()
  before.die()
  server.state.ahead = 3 * hour
  tab.setClock(3 * hour)
  tab.browser.network = 'sendAnswersLost'
  tab.send('First').catch(() => {})
  await time.pass(2 * second)
  const storedAt = time.now()
  tab.die()
  tab.browser.network = 'well'
  server.state.ahead = 0
  tab.browser.ahead = 0
  await time.pass(hour + minute)
  server.correctDates()
  const reloaded = await openTab(anna)
  await time.pass(minute)
  expect(reloaded.items.get()).toEqual([])
  // The page of Ben is opened when the first message has just been destroyed.
  await time.pass(storedAt + 24 * hour + 5 * minute - time.now())
  const ben = await openTab(2)
  await list(ben)
  await time.pass(25 * minute)
  await list(reloaded)
  await send(reloaded, 'Second')
  expect(await found(dialogue, ben)).toEqual({ marked: [], alarms: [] })
})
