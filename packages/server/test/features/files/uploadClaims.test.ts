import { Readable } from 'node:stream'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import type { Core } from '../../../src/core/core.ts'
import type { Tx } from '../../../src/core/database/types.ts'
import type { Caller } from '../../../src/core/http/guards.ts'
import { activeUploads } from '../../../src/features/files/activeTransfers.ts'
import { receiveUpload } from '../../../src/features/files/uploads.ts'
import { createTestServer, type Member } from '../../support/server/testServer.ts'
import { idIn, newAddress } from '../../support/scenes/uploads.ts'

const callerOf = async ({ db }: Core, { user }: Member): Promise<Caller> => {
  const session = await db.read.get<{ id: string }>('select id from sessions where user_id = ?', [user.id])
  return { userId: user.id, sessionId: session?.id ?? '', tokenHash: '', address: '127.0.0.1', sharedComputer: false }
}

test('an address that another process used up during a retried claim is not kept as arriving', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const id = idIn(await newAddress(member))
  const { db } = server.core
  async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const undone = new Error('another process was faster')
    await expect(
      db.write(async (tx) => {
        await work(tx)
        throw undone
      }),
    ).rejects.toBe(undone)
    expect(activeUploads.has(id)).toBe(true)
    await db.write((tx) => tx.run("update uploads set started_at = 1, process = 'other' where id = ?", [id]))
    return db.write(work)
  }
  const caller = await callerOf(server.core, member)
  const claim = receiveUpload(
    { ...server.core, db: { ...db, write } },
    caller,
    { id, maxBytes: 1 },
    Readable.from(['x']),
  )
  await expect(claim).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
  expect(activeUploads.has(id)).toBe(false)
})

test('a claim that is refused for space changes nothing, so the rest of its batch runs once', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const id = idIn(await newAddress(member))
  const caller = await callerOf(server.core, member)
  let times = 0
  const other = server.core.db.write(async (tx) => {
    times += 1
    await tx.run('update users set is_active = is_active where id = ?', [member.user.id])
  })
  const maxBytes = limits.unsentUploadBytes + 1
  const refused = receiveUpload(server.core, caller, { id, maxBytes }, Readable.from(['x']))
  await expect(refused).rejects.toMatchObject({ code: 'FILES_FULL' })
  await other
  expect(times).toBe(1)
  const foreign = receiveUpload(server.core, caller, { id: crypto.randomUUID(), maxBytes }, Readable.from(['x']))
  await expect(foreign).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
})
