import { randomUUID } from 'node:crypto'
import { connections } from '@privity/contract/connections'
import { describe, expect, test } from 'vitest'
import { removeObjects } from '../../../src/features/files/files.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

const hour = 60 * 60 * 1000

describe('an object that the store does not let go of', () => {
  /** A server whose store refuses to remove the objects for which `keeps` returns true. */
  async function createStubborn(keeps: (id: string) => boolean) {
    const own = await createTestServer()
    const { storage } = own.core
    const remove = storage.remove.bind(storage)
    storage.remove = async (id) => {
      if (keeps(id)) throw new Error('403: this key may not delete')
      await remove(id)
    }
    return own
  }
  const rowsIn = async ({ core }: TestServer, table: string) =>
    (await core.db.read.all<{ id: string }>(`select id from ${table}`)).map(({ id }) => id)
  const objectsIn = async ({ core }: TestServer) => (await core.storage.list()).map(({ id }) => id)

  test('keeps no message, envelope or other file from being destroyed, and goes when it can', async () => {
    let kept = ''
    await using own = await createStubborn((id) => id === kept)
    const talk = await createTalk(own)
    const { filePath } = await talk.sendFile(talk.anna)
    kept = filePath.slice(-36)
    // The first to expire, followed by more than a batch of other files.
    await own.advance(1_000)
    await talk.send(talk.ben)
    await talk.sendFile(talk.ben)
    await own.core.db.write(async (tx) => {
      for (let at = 0; at < 150; at++)
        await tx.run(
          `insert into files (id, owner_id, size, created_at, expires_at, connection_id, message_id)
           values (?, ?, 1, 0, ?, ?, ?)`,
          [randomUUID(), talk.anna.user.id, own.clock.now() + 23 * hour, talk.connection.id, randomUUID()],
        )
    })
    await own.advance(24 * hour)
    await own.advance(15_000)
    await own.advance(15_000)
    expect(await rowsIn(own, 'messages union all select id from envelopes')).toEqual([])
    expect(await rowsIn(own, 'files')).toEqual([kept])
    expect(await objectsIn(own)).toEqual([kept])
    kept = ''
    await own.advance(15_000)
    expect([await rowsIn(own, 'files'), await objectsIn(own)]).toEqual([[], []])
  })

  test('and many like it leave others that were claimed with them their turn', async () => {
    let isAway = true
    const stuck = new Set<string>()
    await using own = await createStubborn((id) => isAway || stuck.has(id))
    const talk = await createTalk(own)
    const { filePath } = await talk.sendFile(talk.anna)
    await own.core.db.write(async (tx) => {
      for (let at = 0; at < 150; at++) {
        const id = randomUUID()
        stuck.add(id)
        await tx.run(
          `insert into files (id, owner_id, size, created_at, expires_at, connection_id, message_id)
           values (?, ?, 1, 0, ?, ?, ?)`,
          [id, talk.anna.user.id, own.clock.now() + 24 * hour + at, talk.connection.id, randomUUID()],
        )
      }
    })
    // The last to expire.
    await own.advance(1_000)
    const later = await talk.sendFile(talk.ben)
    await own.advance(24 * hour + 1_000)
    for (let run = 0; run < 10; run++) await own.advance(15_000)
    isAway = false
    // Each run tries a fifth of two thirds of the objects.
    for (let run = 0; run < 200 && (await objectsIn(own)).length > 0; run++) await own.advance(15_000)
    expect(await objectsIn(own)).toEqual([])
    const left = await rowsIn(own, 'files')
    for (const each of [filePath, later.filePath]) expect(left).not.toContain(each.slice(-36))
  })

  test('of one removed connection keeps no other from being destroyed', async () => {
    let kept = ''
    await using own = await createStubborn((id) => kept === 'all' || id === kept)
    const [first, second] = [await createTalk(own), await createTalk(own)]
    const { filePath } = await first.sendFile(first.anna)
    for (const talk of [first, second]) {
      await talk.send(talk.anna)
      await talk.sendFile(talk.ben)
    }
    kept = 'all'
    for (const { anna, connection } of [first, second])
      await anna.call(connections.remove, { params: { id: connection.id } })
    expect(await rowsIn(own, 'messages union all select id from envelopes')).toEqual([])
    kept = filePath.slice(-36)
    await own.advance(15_000)
    expect([await rowsIn(own, 'files'), await rowsIn(own, 'removed_connections')]).toEqual([
      [kept],
      [first.connection.id],
    ])
    kept = ''
    await own.advance(15_000)
    expect([await objectsIn(own), await rowsIn(own, 'removed_connections')]).toEqual([[], []])
  })

  test('keeps no other orphan from being removed', async () => {
    let kept = ''
    await using own = await createStubborn((id) => id === kept)
    const talk = await createTalk(own)
    const files = [await talk.sendFile(talk.anna), await talk.sendFile(talk.anna), await talk.sendFile(talk.anna)]
    ;[kept = ''] = (await objectsIn(own)).slice(0, 1)
    await own.core.db.write((tx) => tx.run('delete from files'))
    expect(files).toHaveLength(3)
    await own.advance(24 * hour)
    expect(await objectsIn(own)).toEqual([kept])
  })
})

describe('many objects at once', () => {
  const ids = Array.from({ length: 100 }, () => randomUUID())

  /** Removes objects from a store whose n-th removal succeeds if `lets(n)` returns true. */
  async function removed(lets: (asked: number) => boolean) {
    await using own = await createTestServer()
    let asked = 0
    const remove = () => (lets(++asked) ? Promise.resolve() : Promise.reject(new Error('503: slow down')))
    const { removed: gone, failure } = await removeObjects({ storage: { ...own.core.storage, remove } }, ids)
    return { asked, gone: gone.length, failed: failure !== undefined }
  }

  test('of a store that lets go of none are asked for twenty times, not a hundred', async () => {
    expect(await removed(() => false)).toEqual({ asked: 20, gone: 0, failed: true })
  })

  test('are all asked for where the store lets go of one in twenty', async () => {
    expect(await removed((asked) => asked % 20 === 0)).toEqual({ asked: 100, gone: 5, failed: true })
    expect(await removed(() => true)).toEqual({ asked: 100, gone: 100, failed: false })
  })
})
