import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { messages, type Message } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../support/server/testServer.ts'
import { createCaller } from '../support/server/caller.ts'
import { makeContent, makeEnvelope, makeKeys } from '../support/server/memberKeys.ts'
import { type ServerProcess, startProcess } from '../support/server/serverProcess.ts'
import { createTalk, randomFile, type SendBody, upload } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

describe('a server killed in the middle of its work', () => {
  let folder: string
  let server: ServerProcess
  const start = async () => {
    server = await startProcess({ DATA_DIR: folder, TRUST_PROXY: '1', LOG_LEVEL: 'warn', DEMO: '0' })
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-kill-'))
    await start()
  })
  afterEach(async () => {
    await server.stop('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  async function signUp(username: string) {
    const caller = createCaller(() => server.facts.url)
    const keys = makeKeys(Date.now())
    const body = { username, password: 'p', firstName: 'A', lastName: 'B', email: `${username}@example.com`, keys }
    return { ...caller, user: await caller.call(session.register, { body }) }
  }

  test(
    'loses no acknowledged message, stores none twice, and starts again by itself',
    { timeout: 30_000 },
    async () => {
      const pairs = await Promise.all(
        Array.from({ length: 6 }, async (_, at) => {
          const [one, other] = [await signUp(`one${at}`), await signUp(`other${at}`)]
          const { id } = await one.call(connections.create, { body: { connectionCode: other.user.connectionCode } })
          const ends = { connectionId: id, from: one.user.id, to: other.user.id }
          const envelope = makeEnvelope(ends, undefined, Date.now())
          return { one, other, id, envelope }
        }),
      )
      const sent: { one: (typeof pairs)[number]['one']; body: SendBody; answered?: Message }[] = []
      let answers = 0
      let enough = () => {}
      const killed = new Promise<void>((resolve) => void (enough = resolve)).then(() => server.stop('SIGKILL'))
      // 55 messages each: the rate limit of an account in 10 seconds.
      const streams = pairs.map(async ({ one, id, envelope }) => {
        for (let i = 0; i < 55; i++) {
          const body: SendBody = { connectionId: id, content: makeContent(envelope.id).content, envelope }
          const entry: (typeof sent)[number] = { one, body }
          sent.push(entry)
          const answer = await one.request('POST', '/api/messages', body).catch(() => undefined)
          if (answer?.status !== 201) return
          entry.answered = { ...(answer.body as Message), content: body.content }
          answers += 1
          if (answers === 150) enough()
        }
      })
      await Promise.all(streams)
      enough()
      await killed
      expect(answers).toBeGreaterThanOrEqual(150)
      expect(sent.length).toBeGreaterThan(answers)

      await start()
      for (const { other, id } of pairs) {
        const stored = await other.call(messages.list, { params: { id }, query: { limit: 200 } })
        const acknowledged = sent.filter(({ body, answered }) => body.connectionId === id && answered !== undefined)
        for (const { answered } of acknowledged) {
          expect(stored.find((each) => each.id === answered?.id)).toMatchObject({
            seq: answered?.seq,
            content: answered?.content,
          })
        }
        expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1))
        expect(stored.length - acknowledged.length).toBeLessThanOrEqual(1)
      }
      // Resend those without a response: whether stored before or not, each is stored once.
      for (const { one, body, answered } of sent) {
        if (answered === undefined)
          expect([200, 201]).toContain((await one.request('POST', '/api/messages', body)).status)
      }
      for (const { other, id } of pairs) {
        const stored = await other.call(messages.list, { params: { id }, query: { limit: 200 } })
        const wanted = sent.filter(({ body }) => body.connectionId === id).map(({ body }) => body.content)
        expect(stored.map(({ content }) => content).sort()).toEqual(wanted.sort())
      }
    },
  )

  test('while it receives a file leaves nothing of it', { timeout: 30_000 }, async () => {
    const anna = await signUp('anna')
    const { uploadURL } = await anna.call(files.createUpload, {})
    const objects = async () =>
      (await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    let pulled = 0
    const body = new ReadableStream({
      async pull(controller) {
        pulled += 1
        controller.enqueue(randomFile(100_000))
        if (pulled < 3) return
        await expect.poll(objects, { interval: 5 }).not.toEqual([])
        await server.stop('SIGKILL')
      },
    })
    const init = { method: 'PUT', body, duplex: 'half' } as RequestInit
    await expect(anna.fetch(uploadURL, init)).rejects.toThrow()
    expect(await objects()).toHaveLength(1)
    await start()
    await expect.poll(objects).toEqual([])
    const register = await anna.refused(files.register, { body: { fileURL: uploadURL } })
    expect(register.body.code).toBe('UPLOAD_NOT_FOUND')
  })
})

describe('a full disk', () => {
  let server: TestServer
  beforeEach(async () => {
    const many = { requests: 100_000, window: 1000 }
    server = await createTestServer({ options: { rateLimits: { send: many, upload: many, other: many } } })
  })
  afterEach(() => server.close())

  const pages = (most: number) => server.core.db.write((tx) => tx.get(`pragma max_page_count = ${most}`))
  const fill = async (left: number) => {
    const used = await server.core.db.write((tx) => tx.get<{ page_count: number }>('pragma page_count'))
    await pages((used?.page_count ?? 0) + left)
  }
  const room = () => pages(1_000_000)

  sqliteTest('full disk')(
    'refuses messages with a clear error, loses none, and takes them once there is room',
    async () => {
      const talk = await createTalk(server)
      const { anna, ben } = talk
      const socket = await ben.socket()
      await talk.send(anna)
      await fill(8)
      const bodies = Array.from({ length: 30 }, () => talk.text(anna))
      const answers = await Promise.all(bodies.map((body) => anna.request('POST', '/api/messages', body)))
      const refused = answers.filter(({ status }) => status !== 201)
      expect(refused.length).toBeGreaterThan(0)
      for (const { status, body } of refused)
        expect({ status, body }).toMatchObject({ status: 507, body: { code: 'STORAGE_FULL' } })
      const list = (member: Member) => member.call(messages.list, { params: { id: talk.connection.id }, query: {} })
      const acknowledged = answers.filter(({ status }) => status === 201).map(({ body }) => (body as Message).id)
      expect((await list(ben)).map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
      expect(await list(ben)).toHaveLength(1 + acknowledged.length)

      await room()
      for (const body of bodies)
        expect([200, 201]).toContain((await anna.request('POST', '/api/messages', body)).status)
      expect((await list(ben)).map(({ seq }) => seq)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1))
      await socket.settled()
      const told = socket.frames.flatMap((frame) => (frame.type === 'new_message' ? [frame.message.seq] : []))
      expect(told).toEqual(Array.from({ length: 31 }, (_, at) => at + 1))
    },
  )

  sqliteTest('full disk')('refuses an upload as clearly, and leaves nothing of it', async () => {
    const { anna } = await createTalk(server)
    await fill(2)
    const create = () => anna.request('POST', '/api/objects/upload')
    let made = 0
    let answer = await create()
    for (; answer.status === 200; answer = await create()) made += 1
    expect(answer).toMatchObject({ status: 507, body: { code: 'STORAGE_FULL' } })
    expect(await server.core.db.read.all('select 1 from uploads')).toHaveLength(made)
    const entries = "select 1 from audit_log where action = 'upload_created'"
    expect(await server.core.db.read.all(entries)).toHaveLength(made)
    await room()
    expect((await upload(anna, randomFile(10))).response.status).toBe(200)
  })
})
