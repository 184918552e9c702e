import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { limits } from '@privity/contract/limits'
import type { ExportOptions, ExportProgress } from '../../src/index.ts'
import { browserListed } from '../support/browsers.ts'
import { createStage, next, type Person, sentAll } from '../support/stage.ts'
import { share, bytesOf } from '../support/fileSharing.ts'

const many = { requests: 100_000, window: 1000 }
const unhurried = { options: { rateLimits: { send: many, other: many } } }

const texts: ExportOptions['texts'] = {
  language: 'en',
  readme: (facts) => `Read me: ${JSON.stringify(facts)}`,
  conversationWith: (name) => `Conversation with ${name}`,
  madeAt: (time) => `Made at ${time}`,
  you: 'You',
  empty: 'Nothing here',
  file: (name, bytes) => `File ${name} of ${bytes}`,
  deleted: 'Message deleted',
  unreadable: (reason) => reason.sentence,
  time: (at) => new Date(at).toISOString(),
}

const allow = (person: Person) => person.client.privacy.allowExports(person.password)

/** The files of the ZIP by name. */
async function open(content: Blob): Promise<Map<string, string>> {
  const files = unzipSync(new Uint8Array(await content.arrayBuffer()))
  return new Map(Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]))
}

async function exportOf(person: Person, more: Partial<ExportOptions> = {}) {
  const made = await person.client.privacy.createExport({ texts, signal: new AbortController().signal, ...more })
  const files = await open(made.content)
  const read = (name: string) => JSON.parse(files.get(name) ?? 'null') as Record<string, unknown>[]
  const find = (ending: string) => [...files.keys()].filter((name) => name.endsWith(ending))
  return { made, files, read, find }
}

async function send(from: Person, connectionId: string, text: string): Promise<void> {
  await from.client.messages.send(connectionId, text)
  await sentAll(from)
}

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('one ZIP holds what one wrote and received, as it was, with its README', async () => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  const said = ['Guten Tag, 你好 👋', '<script>alert("x")</script> & more', 'Line one\nLine two']
  for (const text of said) await send(anna, connectionId, text)
  await send(ben, connectionId, 'Understood')
  const file = new File([bytesOf(1_234)], 'Report – final.pdf', { type: 'application/pdf' })
  await share(anna, ben, connectionId, file)
  await share(ben, anna, connectionId, new File([bytesOf(10)], 'Sent by ben.pdf'))
  await anna.client.drafts.set(connectionId, 'Not sent yet')
  await allow(anna)

  const { made, files, read, find } = await exportOf(anna)
  expect(made.name).toBe(`privity-export-${anna.username}-2026-01-15.zip`)
  expect(made.facts).toMatchObject({ username: anna.username, conversations: 1, messages: 6, files: 1 })
  expect(files.get('README.txt')).toBe(texts.readme(made.facts))
  const [messages = ''] = find('messages.json')
  expect(messages).toMatch(/^conversations\/ben Example \w{8}\/messages\.json$/)
  expect(read(messages).map(({ from, text, file }) => [from, text ?? file])).toEqual([
    ...said.map((text) => ['me', text]),
    ['contact', 'Understood'],
    ['me', { name: 'Report – final.pdf', type: 'application/pdf', bytes: 1_234 }],
    ['contact', expect.objectContaining({ name: 'Sent by ben.pdf', bytes: 10 })],
  ])
  expect(read('files.json')).toMatchObject([{ name: 'Report – final.pdf', bytes: 1_234, sentTo: 'ben Example' }])
  expect(read('connections.json')).toMatchObject([
    {
      id: connectionId,
      contact: { firstName: 'ben', email: ben.user.email },
      verification: 'unverified',
      safetyNumber: expect.stringMatching(/^\d{60}$/),
      draft: 'Not sent yet',
    },
  ])
  expect(read('profile.json')).toMatchObject({ username: anna.username, email: anna.user.email })
  expect(read('preferences.json')).toMatchObject({ dataDownloads: true })
  expect(read('sessions.json')).toHaveLength(1)
  expect(read('browsers.json')).toMatchObject([{ isCurrent: true, firstUsedAt: expect.stringContaining('T') }])
  expect(read('activity.json')[0]).toMatchObject({ action: 'data_exported' })
})

test('the readable page runs nothing a contact wrote', async () => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  const { email } = ben.user
  await ben.client.ownAccount.updateProfile({ firstName: 'ben', lastName: '<img src=x onerror="alert(3)">', email })
  await send(ben, connectionId, '<script>alert(1)</script><img src=x onerror="alert(2)">')
  await allow(anna)
  const { files, find } = await exportOf(anna)
  const page = files.get(find('messages.html')[0] ?? '') ?? ''
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;&gt;')
  expect(page).not.toMatch(/<script|<img|<a /)
  expect(page).toContain(`content="default-src 'none';`)
  const name = 'ben &lt;img src=x onerror=&quot;alert(3)&quot;&gt;'
  expect(page).toContain(`<h1>Conversation with ${name}</h1>`)
  expect(page).toContain(`<b>${name}</b>`)
})

test('a long conversation is complete and in order', async () => {
  await using stage = await createStage(unhurried)
  const { anna, connectionId } = await stage.pair()
  const count = limits.maxMessagesPage * 2 + 3
  for (let at = 1; at <= count; at++) await anna.client.messages.send(connectionId, `Message ${at}`)
  await sentAll(anna)
  await allow(anna)
  const reports: ExportProgress[] = []
  const { read, find } = await exportOf(anna, { onProgress: (progress) => reports.push({ ...progress }) })
  expect(read(find('messages.json')[0] ?? '').map(({ text }) => text)).toEqual(
    Array.from({ length: count }, (_, at) => `Message ${at + 1}`),
  )
  expect(reports[0]).toEqual({ conversations: 0, of: 1, messages: 0 })
  expect(reports.at(-1)).toEqual({ conversations: 1, of: 1, messages: count })
})

test('what has expired is not in it, and what expires while it is made is not either', async () => {
  await using stage = await createStage(unhurried)
  const { anna, connectionId } = await stage.pair()
  await allow(anna)
  await send(anna, connectionId, 'Soon gone')
  await stage.advance(limits.retention - 1_000)
  await send(anna, connectionId, 'Still there')
  anna.network.watches = (request) => {
    if (request.startsWith(`GET /api/connections/${connectionId}/messages`)) stage.server.clock.advance(1_000)
  }
  const { read, find } = await exportOf(anna)
  expect(read(find('messages.json')[0] ?? '').map(({ text }) => text)).toEqual(['Still there'])
})

test('it holds no key, sealed text, password or token', async () => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  const message = await share(anna, ben, connectionId, new File([bytesOf(50)], 'a.bin'))
  await allow(anna)
  const { files } = await exportOf(anna)
  const all = [...files.values()].join('\n')
  const { db } = stage.server.core
  const rows = [
    ...(await db.read.all<Record<string, unknown>>('select * from users')),
    ...(await db.read.all<Record<string, unknown>>('select * from epochs')),
    ...(await db.read.all<Record<string, unknown>>('select * from envelopes')),
    ...(await db.read.all<Record<string, unknown>>('select content, file_name, file_key from messages')),
    ...(await db.read.all<Record<string, unknown>>('select token_hash from sessions')),
  ]
  const secret = /wrapped|hash|identity_key|public_key|^pins$|sealed|signature|content|file_key|file_name/
  const values = rows.flatMap((row) => Object.entries(row).filter(([name, value]) => secret.test(name) && value))
  expect(values.length).toBeGreaterThan(20)
  const { body } = message
  const hashes = body.kind === 'file' ? [body.keyHash, body.bodyHash] : []
  expect(hashes).toHaveLength(2)
  const bodies = anna.network.requests.filter(({ request }) => /register|proof|data-downloads/.test(request))
  const sent = bodies.flatMap(({ body: text }) => [...text.matchAll(/[\w-]{40,}/g)].map(([value]) => value))
  expect(sent.length).toBeGreaterThan(3)
  const secrets = [...values.map(([, value]) => String(value)), ...hashes, ...sent, anna.password, anna.recoveryKey]
  for (const each of secrets) expect(all.includes(each), each.slice(0, 60)).toBe(false)
})

test('it is made of what the server answers, and sends nothing: neither the texts nor the file', async () => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  await send(anna, connectionId, 'Said by anna')
  await send(ben, connectionId, 'Said by ben')
  await allow(anna)
  await browserListed(anna)
  const before = anna.network.requests.length
  const { made } = await exportOf(anna)
  expect(made.facts).toMatchObject({ messages: 2 })
  const sent = anna.network.requests.slice(before)
  expect(sent.length).toBeGreaterThan(2)
  expect(
    sent.filter(({ request, body }) => body !== '' || !/^(GET |POST \/api\/account\/exports$)/.test(request)),
  ).toEqual([])
})

test('it is refused while data downloads are off, and a wrong password does not switch them on', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const off = expect.objectContaining({ code: 'EXPORTS_OFF' })
  expect(await refused(exportOf(anna))).toEqual(off)
  const wrong = await refused(anna.client.privacy.allowExports('another password'))
  expect(wrong).toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(await refused(exportOf(anna))).toEqual(off)
  await allow(anna)
  expect((await exportOf(anna)).made.facts).toMatchObject({ conversations: 0, messages: 0 })
})

test('it can be cancelled, and says so', async () => {
  await using stage = await createStage(unhurried)
  const { anna, connectionId } = await stage.pair()
  await send(anna, connectionId, 'Hello')
  await allow(anna)
  const cancelling = new AbortController()
  const { signal } = cancelling
  const cancel = () => cancelling.abort(new Error('cancelled'))
  expect(await refused(exportOf(anna, { signal, onProgress: cancel }))).toEqual(new Error('cancelled'))
})

test('a server that is lost on the way fails it as a whole', async () => {
  await using stage = await createStage(unhurried)
  const { anna, connectionId } = await stage.pair()
  await send(anna, connectionId, 'Hello')
  await allow(anna)
  anna.network.watches = (request) => {
    if (request.startsWith('POST /api/account/exports')) anna.network.offline = true
  }
  expect(await refused(exportOf(anna))).toMatchObject({ code: 'OFFLINE' })
})

test.each([
  ['after the list', ''],
  ['after its messages', '/messages'],
])('a connection removed meanwhile, %s, is left out, and the rest is there', async (_when, path) => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  const carl = await stage.signUp('carl')
  await stage.connect(anna, carl)
  await allow(anna)
  let removed = false
  anna.network.watches = async (request) => {
    const seen = path === '' ? request === 'GET /api/connections' : request.includes(connectionId + path)
    if (removed || !seen) return
    removed = true
    await ben.client.connections.remove(connectionId)
  }
  const { read } = await exportOf(anna)
  expect(read('connections.json')).toMatchObject([{ contact: { firstName: 'carl' } }])
})

test('a large export waits as long as Retry-After says, and continues', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await send(anna, connectionId, 'Hello')
  await allow(anna)
  await spend(anna)
  const limited = new Promise<void>((resolve) => {
    anna.network.watches = (_request, answer) => void (answer.status === 429 && resolve())
  })
  const exporting = exportOf(anna)
  await limited
  await stage.advance(10_000)
  expect((await exporting).made.facts.messages).toBe(1)
})

/** Uses up the calls an account may make. */
async function spend(person: Person): Promise<void> {
  const calls = Array.from({ length: 300 }, () => person.client.messages.unreadCounts())
  await Promise.allSettled(calls)
}

test('another’s messages are as they reached one: what cannot be read says why', async () => {
  await using stage = await createStage(unhurried)
  const { anna, ben, connectionId } = await stage.pair()
  await allow(anna)
  const heard = next(anna, 'message')
  await send(ben, connectionId, 'Hello')
  await heard
  anna.network.tampers = (request, answer) => {
    if (!request.startsWith(`GET /api/connections/${connectionId}/messages?`)) return answer
    return (answer as { content: string }[]).map((each) => ({ ...each, content: `${each.content.slice(0, -2)}AA` }))
  }
  const { read, find } = await exportOf(anna)
  const [message] = read(find('messages.json')[0] ?? '')
  expect(message).toMatchObject({ from: 'contact', unreadable: expect.stringContaining('not shown') })
  expect(message).not.toHaveProperty('text')
})
