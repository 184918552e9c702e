import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { createStage, next, reaches, reconnected } from '../support/stage.ts'
import { isCallError } from '../../src/index.ts'
import { ended, report, share } from '../support/fileSharing.ts'

test('a file of over 100 MB is refused before anything leaves', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const huge = new File([], 'huge.iso')
  Object.defineProperty(huge, 'size', { value: 100 * 1024 * 1024 + 1 })
  const transfer = await ended(anna, anna.client.files.send(connectionId, huge))
  expect(transfer).toMatchObject({ phase: 'failed', error: 'Files can be up to 100 MB.' })
  expect(anna.network.requests.filter(({ request }) => /upload|messages/.test(request))).toEqual([])
})

test('a file whose name and type are longer than a message holds arrives with what fits of them', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const long = new File(['x'], `${'€'.repeat(400)}.pdf`, { type: `application/${'x'.repeat(400)}` })
  const { body } = await share(anna, ben, connectionId, long)
  const name = `${'€'.repeat(251)}.pdf`
  expect(body).toMatchObject({ kind: 'file', name, type: `application/${'x'.repeat(115)}` })
})

test('one beyond the account’s space fails at once, says so, and can be sent once there is space', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const { db } = stage.server.core
  const stored = [crypto.randomUUID(), anna.user.id, limits.accountFileBytes, 0, 'm', Number.MAX_SAFE_INTEGER]
  const insert = 'insert into files (id, owner_id, size, created_at, message_id, expires_at) values (?, ?, ?, ?, ?, ?)'
  await db.write((tx) => tx.run(insert, stored))
  const id = anna.client.files.send(connectionId, report())
  const { code, message: error } = new AppError('FILES_FULL')
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', code, error })
  await db.write((tx) => tx.run('delete from files where message_id = ?', ['m']))
  anna.client.files.retry(id)
  const done = await ended(anna, id)
  expect([done.phase, done.error, done.code]).toEqual(['done', undefined, undefined])
})

test('a picture that its metadata cannot be taken out of is sent only when the switch says so', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const before = anna.network.requests.length
  const heard = next(ben, 'message')
  let keeps = false
  const photo = new File([`\0\0\0\x18ftypheic with a place in it`], 'IMG_0001.HEIC')
  const id = anna.client.files.send(connectionId, photo, { keepMetadata: () => keeps })
  const refused = await ended(anna, id)
  expect(refused).toMatchObject({ phase: 'failed', error: expect.stringMatching(/cannot be removed/) })
  expect(anna.network.requests).toHaveLength(before)
  keeps = true
  anna.client.files.retry(id)
  expect((await ended(anna, id)).phase).toBe('done')
  expect((await heard).body).toMatchObject({ kind: 'file', size: photo.size })
})

test('an upload that broke goes on from the step that failed', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const breaks = (step: string) => {
    let broken = false
    anna.network.loses = (request) => request.startsWith(step) && !broken && (broken = true)
  }
  const requests = (start: string) => anna.network.requests.filter(({ request }) => request.startsWith(start)).length
  const heard = next(ben, 'message')
  breaks('PUT /api/objects/uploads/')
  const id = anna.client.files.send(connectionId, report())
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', error: expect.stringMatching(/cannot be reached/) })
  breaks('PUT /api/files')
  anna.client.files.retry(id)
  expect((await ended(anna, id)).phase).toBe('failed')
  expect(requests('PUT /api/objects/uploads/')).toBe(2)
  breaks('nothing')
  anna.client.files.retry(id)
  expect((await ended(anna, id)).phase).toBe('done')
  expect(requests('PUT /api/objects/uploads/')).toBe(2)
  expect(requests('PUT /api/files')).toBe(2)
  expect((await heard).body).toMatchObject({ kind: 'file', size: 2_500_000 })
})

test('the answer to the file message is lost: there is one message', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  let lost = false
  anna.network.deaf = true
  anna.network.loses = (request) => request === 'POST /api/messages' && !lost && (lost = true)
  const id = anna.client.files.send(connectionId, report())
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting' && lost)
  await stage.advance(30_000)
  expect((await ended(anna, id)).phase).toBe('done')
  expect(await ben.client.messages.list(connectionId)).toHaveLength(1)
})

test('a cancelled upload sends nothing, in whatever step', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (const phase of ['encrypting', 'uploading', 'sending'] as const) {
    anna.network.loses = (request) => phase === 'sending' && request === 'POST /api/messages' && cancelNow()
    const id = anna.client.files.send(connectionId, report())
    const cancelNow = () => {
      anna.client.files.cancel(id)
      return true
    }
    if (phase !== 'sending') {
      await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === phase)
      anna.client.files.cancel(id)
    }
    expect((await ended(anna, id)).phase).toBe('cancelled')
    expect(anna.client.outbox.get().filter((item) => item.state !== 'sending')).toEqual([])
    anna.client.files.dismiss(id)
    if (phase !== 'sending') expect(await ben.client.messages.list(connectionId)).toEqual([])
  }
  expect(anna.client.files.transfers.get()).toEqual([])
})

test('an upload that lost the server resumes when the socket is back, as one message', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  anna.network.offline = true
  const id = anna.client.files.send(connectionId, report())
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', resumes: true })
  anna.network.offline = false
  await reconnected(stage, anna)
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === 'done')
  expect((await heard).body).toMatchObject({ kind: 'file', size: 2_500_000 })
  expect(await ben.client.messages.list(connectionId)).toHaveLength(1)
})

test('where only the upload broke, it is tried again after a while; a refused one is not', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  let lost = 0
  anna.network.loses = (request) => request.startsWith('PUT /api/objects/uploads/') && lost++ === 0
  const id = anna.client.files.send(connectionId, report())
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', resumes: true })
  await stage.advance(15_000)
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === 'done')
  expect(lost).toBe(2)

  anna.network.answers = () => Response.json({}, { status: 413 })
  const refused = anna.client.files.send(connectionId, report())
  expect(await ended(anna, refused)).not.toHaveProperty('resumes')
  const { length } = anna.network.requests
  anna.network.answers = undefined
  await stage.advance(15_000)
  expect(anna.network.requests.slice(length).filter(({ request }) => request.includes('objects'))).toEqual([])
})

test.each([
  ['POST /api/objects/upload', 'its address'],
  ['PUT /api/objects/uploads/', 'its bytes'],
  ['PUT /api/files', 'its registration'],
])('an upload answered with 503 to %s (%s) goes on by itself, and is one message', async (call) => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  let refused = 0
  anna.network.answers = (request) =>
    request.startsWith(call) && refused++ === 0 ? new Response('', { status: 503 }) : undefined
  const id = anna.client.files.send(connectionId, report())
  expect(await ended(anna, id)).toMatchObject({ phase: 'failed', resumes: true })
  await stage.advance(15_000)
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === 'done')
  expect(refused).toBe(2)
  expect(await ben.client.messages.list(connectionId)).toHaveLength(1)
})

test('a file that expired while a full server refused its message goes out by itself, once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const full = { ...new AppError('STORAGE_FULL').toBody() }
  anna.network.answers = (request) =>
    request === 'POST /api/messages' ? Response.json(full, { status: 507 }) : undefined
  const id = anna.client.files.send(connectionId, report(), { approve: true })
  const isRefused = () => anna.network.requests.some(({ request }) => request === 'POST /api/messages')
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting' && isRefused())
  await stage.advance(limits.unregisteredUploadKept + 60_000)
  anna.network.answers = undefined
  await stage.advance(30_000)
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === 'done')
  const messages = await ben.client.messages.list(connectionId)
  expect(messages.map(({ id: messageId }) => messageId)).toEqual([id])
  expect(await ben.client.files.status(messages[0]?.filePath ?? '')).toMatchObject({ status: 'authorized' })
})

test('a session that ends starts no more files, whoever asks for it then', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const { files, account } = anna.client
  const refused = new Set<unknown>()
  files.transfers.subscribe(() => {
    if (files.transfers.get().length > 0) return
    try {
      files.send(connectionId, report())
    } catch (error) {
      refused.add(isCallError(error) && error.code)
    }
  })
  files.send(connectionId, report())
  await account.signOut()
  expect([...refused]).toEqual(['NOT_SIGNED_IN'])
  await account.signIn(ben)
  expect(files.transfers.get()).toEqual([])
  expect(await anna.client.messages.list(connectionId)).toEqual([])
})
