import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messages } from '@privity/contract/messages'
import { createStage, next, reaches, sentAll, type StageOptions, texts } from './support/stage.ts'

const canaries = {
  text: 'canary text: the meeting is at the old harbour',
  draft: 'canary draft: do not forget the lanterns',
  fileName: 'canary-file-name-of-the-witness.txt',
  fileBytes: 'canary bytes: statement of the witness, page one of one',
  password: 'canary password of Anna, long enough',
}

/** A text as it could be lying around: plain, JSON, UTF-16, hex, and base64 at every alignment. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].map((offset) => {
    const coded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // Only whole groups that hold nothing of what stands before or after.
    return coded.slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4)
  })
  const texts = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), bytes.toString('hex'), ...base64]
  const url = base64.map((coded) => coded.replaceAll('+', '-').replaceAll('/', '_'))
  return [...[...texts, ...url].map((each) => Buffer.from(each)), Buffer.from(text, 'utf16le')]
}

const found = (haystack: Buffer, text: string) => formsOf(text).some((form) => haystack.includes(form))

async function everyFileIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))))
}

/** Everything that the server gives its log, at every level. */
function createLog(): { lines: string[]; log: NonNullable<NonNullable<StageOptions['options']>['log']> } {
  const lines: string[] = []
  const write = (...parts: unknown[]) => {
    const plain = parts.map((part) => (part instanceof Error ? `${part.stack} ${JSON.stringify(part)}` : part))
    lines.push(JSON.stringify(plain))
  }
  const levels = { fatal: write, error: write, warn: write, info: write, debug: write, trace: write, silent: write }
  const log = { ...levels, level: 'trace', child: () => log }
  return { lines, log }
}

test('database, journal, files, log and requests hold no plaintext of a conversation', async () => {
  const { lines, log } = createLog()
  await using stage = await createStage({ slowPasswords: true, options: { log } })
  const anna = stage.tab()
  const account = { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.com', username: 'anna' }
  await anna.client.account.signUp({ ...account, password: canaries.password })
  const ben = await stage.signUp('ben')
  const { id } = await anna.client.connections.create(ben.user.connectionCode)
  const wrong = stage.tab()
  await expect(
    wrong.client.account.signIn({ username: 'anna', password: `${canaries.password}!` }),
  ).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })

  await anna.client.drafts.set(id, canaries.draft)
  const heardText = next(ben, 'message')
  await anna.client.messages.send(id, canaries.text)
  await heardText
  const heardFile = next(ben, 'message')
  anna.client.files.send(id, new File([canaries.fileBytes], canaries.fileName, { type: 'text/plain' }))
  const fileMessage = await heardFile
  const asked = next(anna, 'authorization_requested')
  await ben.client.files.request(fileMessage)
  await anna.client.files.decide(await asked, true)
  const saved: string[] = []
  ben.client.files.download(fileMessage, async (name, _type, stream) => {
    saved.push(name, await new Response(stream as never).text())
  })
  await reaches(ben.client.files.transfers, ([transfer]) => transfer?.phase === 'done')
  expect(saved).toEqual([canaries.fileName, canaries.fileBytes])
  await sentAll(anna)
  expect(await texts(ben, id)).toEqual([canaries.text, canaries.fileName])
  // A refused message must not appear in the server's log either.
  await expect(
    anna.client.call(messages.send, { body: { connectionId: id, content: canaries.text } }),
  ).rejects.toMatchObject({ code: 'MESSAGE_NOT_SEALED' })
  const [sealed] = await ben.client.call(messages.list, { params: { id }, query: {} })

  const stored = await everyFileIn(stage.server.dataDir)
  const deliberate = (request: string, body: string) =>
    request === 'POST /api/messages' && body.includes(JSON.stringify(canaries.text))
  const requests = [anna, ben, wrong]
    .flatMap(({ network }) => network.requests)
    .filter(({ request, body }) => !deliberate(request, body))
    .map(({ request, body }) => Buffer.from(`${request}\n${body}`, 'latin1'))
  // That the search would find what is there:
  expect(found(stored, 'anna@example.com')).toBe(true)
  expect(found(stored, sealed?.content ?? '')).toBe(true)
  expect(requests.some((each) => found(each, sealed?.content ?? ''))).toBe(true)
  expect(found(Buffer.from(Buffer.from(`xy${canaries.text}`).toString('base64')), canaries.text)).toBe(true)

  for (const [name, canary] of Object.entries(canaries)) {
    expect(found(stored, canary), `${name} in the data folder`).toBe(false)
    expect(found(Buffer.from(lines.join('\n')), canary), `${name} in the log`).toBe(false)
    for (const each of requests)
      expect(found(each, canary), `${name} in ${each.subarray(0, 80).toString()}`).toBe(false)
  }
  await stage.server.app.close()
  const after = await everyFileIn(stage.server.dataDir)
  for (const [name, canary] of Object.entries(canaries)) {
    expect(found(after, canary), `${name} in the data folder after closing`).toBe(false)
  }
  await stage.server.start()
})
