import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { connections } from '@privity/contract/connections'
import { AppError } from '@privity/contract/errors'
import { type Message, messages } from '@privity/contract/messages'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { schedule } from '../../../src/core/jobs/scheduler.ts'
import { retentionJobs, destroyExpired, destroyExpiredFiles } from '../../../src/features/retention/retention.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  approve,
  createTalk,
  download,
  fileFields,
  randomFile,
  registerFile,
  type Talk,
} from '../../support/scenes/conversation.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

const hour = 60 * 60 * 1000
let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { send: many, other: many, upload: many } } })
})
afterAll(() => server.close())

const list = (talk: Talk) =>
  talk.anna.call(messages.list, { params: { id: talk.connection.id }, query: { limit: 200 } })

/** Advances the clock and uses the sessions of these talks, so that they do not expire. */
async function pass(talks: Talk[], time: number): Promise<void> {
  for (let left = time; left > 0; left -= 8 * hour) {
    await server.advance(Math.min(left, 8 * hour))
    for (const { anna, ben } of talks) await Promise.all([anna, ben].map((each) => each.call(connections.list, {})))
  }
}

/** Everything in the database and the data folder, as one buffer. */
async function bytesOnDisk(): Promise<Buffer> {
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(paths.map((path) => readFile(path)))
  return Buffer.concat([await storedBytes(server.dataDir), ...files])
}

/** A piece from the middle of a text, long enough that it cannot occur by chance. */
const piece = (text: string) => text.slice(100, 130)

async function countFound(texts: string[]): Promise<number> {
  const disk = await bytesOnDisk()
  return texts.filter((text) => disk.includes(text)).length
}

describe('after 24 hours', () => {
  test(
    'message, envelope, file, approval and key are gone from the database, its log and the disk',
    { timeout: 30_000 },
    async () => {
      const talk = await createTalk(server)
      const { anna, ben } = talk
      const bytes = randomFile(100_000)
      const sent: Message[] = [await talk.send(anna), await talk.send(ben)]
      const file = await talk.sendFile(anna, bytes)
      sent.push(file)
      await approve(anna, ben, file.filePath)
      await download(ben, file.filePath)
      const [grant] = await server.core.db.read.all<{ grant_sealed_key: string }>(
        'select grant_sealed_key from file_authorizations where file_id = ?',
        [file.filePath.slice(-36)],
      )
      const inner = Buffer.from(bytes.subarray(50_000, 50_030)).toString('latin1')
      const canaries = sent.flatMap(({ content, envelope }) => [content, envelope?.sealedForSender ?? content])
      canaries.push(grant?.grant_sealed_key ?? '')
      const texts = [...canaries.map(piece), file.fileName ?? '', file.fileKey ?? '']
      const onDisk = async () => (await bytesOnDisk()).toString('latin1').includes(inner)
      expect(await countFound(texts)).toBe(texts.length)
      expect(await onDisk()).toBe(true)

      await pass([talk], 24 * hour + 60_000)
      expect(await countFound(texts)).toBe(0)
      expect(await onDisk()).toBe(false)
      for (const table of ['messages', 'envelopes', 'files', 'file_authorizations']) {
        const rows = await server.core.db.read.all(`select 1 from ${table} where connection_id = ?`, [
          talk.connection.id,
        ])
        expect(rows, table).toEqual([])
      }
      expect(await server.core.db.read.all('select 1 from file_downloads')).toEqual([])
      expect(await anna.call(connections.list, {})).toMatchObject([{ id: talk.connection.id, lastSeq: 3 }])
    },
  )

  test('nothing of hundreds of messages is left between those that live on', { timeout: 30_000 }, async () => {
    const talks = [await createTalk(server), await createTalk(server), await createTalk(server)]
    const all = Array.from({ length: 300 }, (_, at) => at)
    // In portions, so that messages of all talks, senders and sizes are stored next to each other.
    const sent: { message: Message; dies: boolean }[] = []
    for (let first = 0; first < all.length; first += 50) {
      const portion = all.slice(first, first + 50).map(async (at) => {
        const talk = talks[at % 3] as Talk
        const message = await talk.send(at % 4 === 0 ? talk.anna : talk.ben, {}, at % 5 === 0 ? 2304 : 1024)
        return { message, dies: at % 2 === 0 }
      })
      sent.push(...(await Promise.all(portion)))
    }
    const dying = sent.filter(({ dies }) => dies).map(({ message }) => message)
    const living = sent.filter(({ dies }) => !dies).map(({ message }) => message)
    await server.core.db.write(async (tx) => {
      for (const { id } of dying)
        await tx.run('update messages set expires_at = expires_at - ? where id = ?', [hour, id])
    })
    await pass(talks, 23 * hour + 20_000)
    expect(await countFound(dying.map(({ content }) => piece(content)))).toBe(0)
    const left = (await Promise.all(talks.map(list))).flat()
    expect(left.map(({ id }) => id).sort()).toEqual(living.map(({ id }) => id).sort())
    await pass(talks, hour)
    expect(await countFound(living.map(({ content }) => piece(content)))).toBe(0)
  })

  test('an envelope lives as long as the newest message that needs it, and no longer', async () => {
    const talk = await createTalk(server)
    await talk.send(talk.anna)
    await pass([talk], 5 * hour)
    await talk.send(talk.anna)
    await pass([talk], 19 * hour + 30_000)
    const [message, ...more] = await list(talk)
    expect(more).toEqual([])
    expect(message?.envelope?.from).toBe(talk.anna.user.id)
    await pass([talk], 5 * hour - 30_000 - 1)
    expect((await list(talk))[0]?.envelope).toBeDefined()
    await server.advance(60_000)
    expect(
      await server.core.db.read.all('select 1 from envelopes where connection_id = ?', [talk.connection.id]),
    ).toEqual([])
  })

  test('also when the server was down at the time', async () => {
    const talk = await createTalk(server)
    const text = await talk.send(talk.anna)
    const file = await talk.sendFile(talk.ben)
    const texts = [text, file].map(({ content }) => piece(content))
    // Shift the rows into the past, as if a day had passed while the server was down.
    await server.core.db.write(async (tx) => {
      for (const table of ['messages', 'envelopes', 'files'])
        await tx.run(`update ${table} set expires_at = expires_at - ? where connection_id = ?`, [
          24 * hour + 60_000,
          talk.connection.id,
        ])
    })
    await server.restart()
    expect(await countFound(texts)).toBe(0)
    expect(await server.core.storage.size(file.filePath.slice(-36))).toBeUndefined()
    expect(await list(talk)).toEqual([])
  })

  test('no call returns what a full store keeps, and it is destroyed once there is space', async () => {
    const talk = await createTalk(server)
    const file = await talk.sendFile(talk.anna)
    const texts = [await talk.send(talk.ben), file].map(({ content }) => piece(content))
    await pass([talk], 24 * hour - 60_000)
    const write = vi.spyOn(server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
    await server.advance(3 * 60_000)
    expect(await list(talk)).toEqual([])
    expect(await countFound(texts)).toBe(2)
    write.mockRestore()
    await server.advance(15_000)
    expect(await countFound(texts)).toBe(0)
    expect(await server.core.storage.size(file.filePath.slice(-36))).toBeUndefined()
  })

  test('a shorter retention of the deployment counts for what is sent from then on', async () => {
    await using short = await createTestServer({ env: { MESSAGE_RETENTION: '30s' } })
    const talk = await createTalk(short)
    const sent = await talk.send(talk.anna)
    expect(sent.expiresAt).toBe(sent.createdAt + 30_000)
    await short.advance(29_999)
    expect(await list(talk)).toHaveLength(1)
    await short.advance(1)
    expect(await list(talk)).toEqual([])
    await short.advance(60_000)
    expect(await short.core.db.read.all('select 1 from messages union all select 1 from envelopes')).toEqual([])
  })
})

test('a claimed file can no longer be sent, and its bytes are destroyed at the next run', async () => {
  await using own = await createTestServer()
  const talk = await createTalk(own)
  const { filePath } = await registerFile(talk.anna, randomFile(1000))
  const id = filePath.slice(-36)
  // The clock of the deleting process is ahead of the clock of the process that handles the send.
  const clock = { ...own.core.clock, now: () => own.core.clock.now() + hour + 1 }
  let answer: unknown
  const remove = async () => {
    const body = talk.text(talk.anna, fileFields(filePath, 1000))
    answer = (await talk.anna.request('POST', '/api/messages', body)).body
    throw new Error('killed')
  }
  const ahead = { ...own.core, clock, storage: { ...own.core.storage, remove } }
  await expect(destroyExpiredFiles(ahead, () => false)).rejects.toThrow('killed')
  expect(answer).toMatchObject({ code: 'FILE_NOT_FOUND' })
  expect(await own.core.storage.size(id)).toBeDefined()
  await own.advance(20_000)
  expect(await own.core.storage.size(id)).toBeUndefined()
  expect(await own.core.db.read.all('select 1 from files')).toEqual([])
})

test('what a process deleted it lets go of itself, also where another holds the lease', async () => {
  const lease = { isHeld: async () => false, check: async () => {}, onHeld() {} }
  server.core.db.emptyLogSoon()
  const running = schedule(server.core, retentionJobs, lease)
  await running.settled()
  expect(server.core.db.holdsDeleted()).toBe(false)
  await running.stop()
})

describe('removed connections', () => {
  test('are destroyed at the next start where a stop has interrupted it', async () => {
    await using own = await createTestServer()
    const talk = await createTalk(own)
    await talk.sendFile(talk.ben)
    await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
    await destroyExpiredFiles(own.core, () => true)
    const left = await own.core.db.read.all('select id from removed_connections')
    expect(left).toEqual([{ id: talk.connection.id }])
    await destroyExpiredFiles(own.core, () => false)
    expect(await own.core.db.read.all('select id from files')).toEqual([])
    expect(await own.core.db.read.all('select id from removed_connections')).toEqual([])
  })

  test('leave nothing in the log either', async () => {
    const talk = await createTalk(server)
    const sent = [await talk.send(talk.anna), await talk.send(talk.ben), await talk.sendFile(talk.ben)]
    const texts = sent.map(({ content }) => piece(content))
    await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
    await server.advance(15_000)
    expect(await countFound(texts)).toBe(0)
  })
})

describe('a flood of expired messages', () => {
  async function fill(count: number, connectionId: string = randomUUID()): Promise<string> {
    await server.core.db.write(async (tx) => {
      for (let seq = 1; seq <= count; seq++) {
        await tx.run(
          `insert into messages (id, connection_id, seq, sender_id, envelope_id, message_type, created_at, expires_at, content)
           values (?, ?, ?, 'x', 'x', 'text', 0, 1, ?)`,
          [randomUUID(), connectionId, seq, 'x'.repeat(1600)],
        )
      }
    })
    return connectionId
  }

  const countLeft = async (connectionId: string) =>
    (
      await server.core.db.read.get<{ n: number }>('select count(*) as n from messages where connection_id = ?', [
        connectionId,
      ])
    )?.n ?? 0

  test('is destroyed in small batches, with everybody else served in between', { timeout: 30_000 }, async () => {
    const talk = await createTalk(server)
    const flood = await fill(2_000)
    const seen = [2_000]
    const destroyed = destroyExpired(server.core, () => false)
    let sent = 0
    while (seen.at(-1) !== 0) {
      sent = (await talk.send(talk.anna)).seq
      const left = await countLeft(flood)
      if (left !== seen.at(-1)) seen.push(left)
    }
    await destroyed
    expect(seen.length).toBeGreaterThan(5)
    expect(await list(talk)).toHaveLength(sent)
  })

  test('is left for the next start when the server stops', async () => {
    const flood = await fill(1_000)
    await destroyExpired(server.core, () => true)
    expect(await countLeft(flood)).toBe(900)
    await server.restart()
    expect(await countLeft(flood)).toBe(0)
  })
})
