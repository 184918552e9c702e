import { expect, test } from 'vitest'
import { createStage, type Person, type Stage, sentAll, texts, meetContacts } from '../support/stage.ts'

const text = 'Please pay the invoice today.'
const hour = 60 * 60 * 1000

/** The tag of each message as the server stored it, in the order of time; null where it has none. */
async function tags(stage: Stage): Promise<(string | null)[]> {
  const rows = await stage.server.core.db.read.all<{ repetition: string | null }>(
    'select repetition from messages order by created_at, seq',
  )
  return rows.map(({ repetition }) => repetition)
}

async function say(from: Person, connectionId: string, ...said: string[]): Promise<void> {
  for (const each of said) {
    await from.client.messages.send(connectionId, each)
    await sentAll(from)
  }
}

/** Lets time go on, through one pause after the other, until everything is out. */
async function outlast(stage: Stage, person: Person): Promise<void> {
  while (person.client.outbox.get().length > 0) await stage.advance(2_000)
}

const tag = expect.stringMatching(/^[\w-]{43}$/)

test('a text is tagged from its third time on, equally for any case and spacing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await say(anna, connectionId, text, 'PLEASE  pay the invoice today.', text, ` ${text} `)
  const [, , third, fourth] = await tags(stage)
  expect(await tags(stage)).toEqual([null, null, tag, tag])
  expect(fourth).toBe(third)
  // To the recipient it is a message like any other.
  expect(await texts(ben, connectionId)).toEqual([text, 'PLEASE  pay the invoice today.', text, text])
  const answers = ben.network.requests.map(({ body }) => body).join('\n')
  expect(answers).not.toContain(third)
})

test('short texts and files never, and other texts each for itself', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const short = 'x'.repeat(19)
  await say(
    anna,
    connectionId,
    short,
    short,
    short,
    short,
    `a${' '.repeat(30)}b`,
    `a${' '.repeat(30)}b`,
    `a${' '.repeat(30)}b`,
  )
  await say(anna, connectionId, 'x'.repeat(20), text, 'x'.repeat(20), text, 'x'.repeat(20))
  expect(await tags(stage)).toEqual([...Array.from({ length: 11 }, () => null), tag])
})

test('over several conversations, tabs, a reload and another browser', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const carl = await stage.signUp('carl')
  const other = await stage.connect(anna, carl)
  await say(anna, connectionId, text)
  // A reload: the same device, nothing in memory.
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await say({ ...anna, ...reloaded }, other.id, text)
  await say(anna, connectionId, text)
  expect(await tags(stage)).toEqual([null, null, tag])
  // Another browser counts what it has opened of one's own.
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  expect(await texts(elsewhere, connectionId)).toEqual([text, text])
  await say(elsewhere, connectionId, text)
  expect(await tags(stage)).toEqual([null, null, tag, tag])
  // Messages of the contact do not count.
  await say(ben, connectionId, text)
  expect((await tags(stage)).at(-1)).toBe(null)
})

test('a message that is sent again because its answer was lost counts once, with the tag it had', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await say(anna, connectionId, text)
  let lost = 0
  anna.network.loses = (request) => request === 'POST /api/messages' && lost++ < 3
  await anna.client.messages.send(connectionId, text)
  await outlast(stage, anna)
  expect(lost).toBe(4)
  anna.network.loses = () => false
  await say(anna, connectionId, text)
  expect(await tags(stage)).toEqual([null, null, tag])
})

test('what waits while offline is counted when it goes out, each once', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  anna.network.offline = true
  for (let i = 0; i < 3; i++) await anna.client.messages.send(connectionId, text)
  await stage.advance(5_000)
  anna.network.offline = false
  await outlast(stage, anna)
  expect(await tags(stage)).toEqual([null, null, tag])
})

test('after 24 hours it begins anew, and the tag of another day (UTC) is another', async () => {
  await using stage = await createStage({ env: { MESSAGE_RETENTION: '24h' } })
  const { anna, connectionId } = await stage.pair()
  const now = stage.server.clock.now()
  const toMidnight = 24 * hour - (now % (24 * hour))
  // Up to a minute before midnight, while the session is used now and then.
  for (let left = toMidnight - 60_000; left > 0; left -= 6 * hour) {
    await stage.advance(Math.min(left, 6 * hour))
    await texts(anna, connectionId)
  }
  await say(anna, connectionId, text, text, text)
  await stage.advance(120_000)
  await say(anna, connectionId, text)
  const [, , before, after] = await tags(stage)
  expect([before, after]).toEqual([tag, tag])
  expect(after).not.toBe(before)
  for (let i = 0; i < 5; i++) {
    await stage.advance(5 * hour)
    await texts(anna, connectionId)
  }
  await say(anna, connectionId, text)
  expect((await tags(stage)).at(-1)).toBe(null)
})

test('signing out leaves nothing of it on the device, and what is kept holds no text', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await say(anna, connectionId, text, text)
  const [name] = await anna.device.names('repetition/')
  expect(name).toBe(`repetition/${anna.user.id}`)
  const kept = await anna.device.get(name as string)
  expect(kept).toEqual(expect.any(String))
  expect(Buffer.from(kept as string, 'base64url').includes(text)).toBe(false)
  await anna.client.account.signOut()
  expect(await anna.device.names('repetition/')).toEqual([])
})

test('a device that cannot keep the count sends all the same', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const { set } = anna.device
  anna.device.set = async (name, value) => {
    if (name.startsWith('repetition/')) throw new Error('full')
    await set(name, value)
  }
  await say(anna, connectionId, text, text, text, text)
  expect(await tags(stage)).toEqual([null, null, null, null])
})
