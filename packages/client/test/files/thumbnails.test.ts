import { limits } from '@privity/contract/limits'
import { hashFileKey } from '@privity/e2ee'
import { openThumbnail, sealThumbnail } from '@privity/e2ee/thumbnail'
import { afterEach, expect, test, vi } from 'vitest'
import { browserListed } from '../support/browsers.ts'
import { createStage, type Person, reaches, sentAll } from '../support/stage.ts'
import { approve, bytesOf, download, ended, type FileMessage, shared } from '../support/fileSharing.ts'
import { watchKeys } from '../support/keyWatch.ts'

afterEach(() => vi.restoreAllMocks())

/** A WebP image of one pixel. */
const picture = Uint8Array.from(Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64'))
const photo = (type = 'image/jpeg') => new File([bytesOf(50_000)], 'scene.bin', { type })

const stageWith = (createThumbnail = async (): Promise<typeof picture | undefined> => picture) =>
  createStage({ createThumbnail: vi.fn(createThumbnail) })

const fileBody = ({ body }: FileMessage) => {
  if (body.kind !== 'file') throw new Error('it is a file')
  return body
}

/** The thumbnail that this browser shows of a file, by its status at the server. */
async function shown({ client }: Person, message: FileMessage): Promise<Uint8Array | undefined> {
  const { grant } = await client.files.status(message.filePath)
  const blob = await client.files.thumbnail(message, grant)
  return blob && new Uint8Array(await blob.arrayBuffer())
}

test('a sender sees the thumbnail of an own picture, also in another browser', async () => {
  await using stage = await stageWith()
  const pair = await shared(stage, photo())
  const elsewhere = await stage.signIn(pair.anna)
  const [message] = (await elsewhere.client.messages.list(pair.connectionId)) as FileMessage[]
  expect(await shown(elsewhere, message as FileMessage)).toEqual(picture)
})

test('a recipient sees it once the file is approved, and no download is counted', async () => {
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  expect(await shown(ben, message)).toBeUndefined()
  await approve(anna, ben, message)
  expect(await shown(ben, message)).toEqual(picture)
  expect((await ben.client.files.status(message.filePath)).downloadsLeft).toBe(3)
})

test('before the approval nothing that the recipient has opens the thumbnail', async () => {
  const { secrets } = watchKeys()
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  const { thumbnail: sealed = '', keyHash } = fileBody(message)
  const opensWith = (fileKey: Uint8Array<ArrayBuffer>) =>
    openThumbnail({ fileKey, userId: message.senderId, messageId: message.id, sealed }).then(
      () => true,
      () => false,
    )
  const opensWithAny = async (keys: readonly Uint8Array<ArrayBuffer>[]) =>
    (await Promise.all(keys.map(opensWith))).includes(true)

  secrets.length = 0
  await ben.client.messages.list(message.connectionId)
  await ben.client.files.request(message)
  expect((await download(ben, message)).transfer.phase).toBe('failed')
  const written = JSON.stringify([message, await ben.client.files.status(message.filePath)])
  const told = (written.match(/[\w-]{43,}/g) ?? []).map((text) => Uint8Array.from(Buffer.from(text, 'base64url')))
  const known = [...secrets, ...told, ...told.map((bytes) => bytes.slice(0, 32))]
  expect(known.length).toBeGreaterThan(4)
  expect(await opensWithAny(known)).toBe(false)

  secrets.length = 0
  await anna.client.files.decide((await anna.client.files.pending())[0] as never, true)
  expect(await shown(ben, message)).toEqual(picture)
  expect(await Promise.all(secrets.map(hashFileKey))).toContain(keyHash)
  expect(await opensWithAny(secrets)).toBe(true)
})

test('it is gone again once the approval is revoked', async () => {
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  await approve(anna, ben, message)
  const { recipient } = await anna.client.files.status(message.filePath)
  await anna.client.files.revoke(recipient?.authorizationId ?? '')
  expect(await shown(ben, message)).toBeUndefined()
})

test('it is gone again once all downloads are used', async () => {
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  await approve(anna, ben, message)
  for (let i = 0; i < 3; i++) expect((await download(ben, message)).transfer.phase).toBe('done')
  expect(await shown(ben, message)).toBeUndefined()
})

test('the approval of one file does not open the thumbnail of another', async () => {
  await using stage = await stageWith()
  const { anna, ben, connectionId, message } = await shared(stage, photo())
  await ended(anna, anna.client.files.send(connectionId, photo(), { approve: true }))
  const other = (await ben.client.messages.list(connectionId)).at(-1) as FileMessage
  const { grant } = await ben.client.files.status(other.filePath)
  expect(await ben.client.files.thumbnail(other, grant)).toBeDefined()
  expect(await ben.client.files.thumbnail(message, grant)).toBeUndefined()
})

test('what the server gets has the same size with a thumbnail as without', async () => {
  const sizes = new Set<number>()
  for (const thumbnail of [picture, undefined]) {
    await using stage = await stageWith(async () => thumbnail)
    const { anna, message } = await shared(stage, photo())
    expect(fileBody(message).thumbnail !== undefined).toBe(thumbnail !== undefined)
    const sent = anna.network.requests.findLast(({ request }) => request === 'POST /api/messages')
    sizes.add((JSON.parse(sent?.body ?? '') as { content: string }).content.length)
  }
  expect(sizes.size).toBe(1)
})

test('no request shows the server which files have a thumbnail, whatever grant it gives', async () => {
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  await approve(anna, ben, message)
  await browserListed(ben)
  // A page in which nothing else asks for keys.
  const page = stage.tab(ben)
  await page.client.account.start()
  await page.client.messages.list(message.connectionId)
  const { grant } = await page.client.files.status(message.filePath)
  const countOf = (pattern: RegExp) => page.network.requests.filter(({ request }) => pattern.test(request)).length
  const ofOwnKeys = /^GET .api.keys$/
  const before = countOf(ofOwnKeys)
  const ofLaterEpoch = grant && { ...grant, epochTo: grant.epochTo + 100 }
  expect(await page.client.files.thumbnail(message, ofLaterEpoch)).toBeUndefined()
  expect(countOf(ofOwnKeys)).toBe(before)

  // The page asks for the contact's next epoch when it next needs one.
  await stage.advance(limits.epochDuration + 60_000)
  const ofContactKeys = /^GET .api.connections.*keys$/
  const asked = countOf(ofContactKeys)
  expect(await page.client.files.thumbnail(message, grant)).toBeDefined()
  expect(countOf(ofContactKeys)).toBe(asked)
})

test.each([
  ['cannot be made', () => Promise.reject(new Error('not decoded'))],
  ['has no room', async () => undefined],
  ['is not a picture', async () => Uint8Array.from(Buffer.from('<svg onload="alert(1)"/>'))],
  ['is too large', async () => Uint8Array.from([...picture, ...new Uint8Array(3000)])],
])('a picture whose thumbnail %s is sent without one', async (_what, make) => {
  await using stage = await stageWith(make)
  const { message } = await shared(stage, photo())
  expect(fileBody(message).thumbnail).toBeUndefined()
})

test('a picture waits for its thumbnail no longer than 10 seconds, and then stops making it', async () => {
  const stopped = Promise.withResolvers<void>()
  await using stage = await createStage({
    createThumbnail: (_picture, _room, signal) => {
      signal.addEventListener('abort', () => stopped.resolve())
      return new Promise(() => {})
    },
  })
  const { anna, ben, connectionId } = await stage.pair()
  const id = anna.client.files.send(connectionId, photo())
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.phase === 'encrypting')
  await stage.advance(10_000)
  expect((await ended(anna, id)).phase).toBe('done')
  await stopped.promise
  expect(await ben.client.messages.list(connectionId)).toHaveLength(1)
})

test('nothing of a picture is uploaded before its thumbnail is made, so no pause shows it', async () => {
  const made = Promise.withResolvers<typeof picture>()
  await using stage = await stageWith(() => made.promise)
  const { anna, ben, connectionId } = await stage.pair()
  const uploads = () => anna.network.requests.filter(({ request }) => request.includes('upload'))
  const id = anna.client.files.send(connectionId, photo())
  await reaches(anna.client.files.transfers, (all) => all.find((each) => each.id === id)?.done === 50_000)
  for (let n = 0; n < 10; n++) await stage.advance(1)
  expect(uploads()).toEqual([])
  made.resolve(picture)
  expect((await ended(anna, id)).phase).toBe('done')
  expect(uploads()).not.toEqual([])
  expect(await ben.client.messages.list(connectionId)).toMatchObject([{ body: { thumbnail: expect.any(String) } }])
})

test('nothing is drawn of a file that is no picture', async () => {
  const createThumbnail = vi.fn(async () => picture)
  await using stage = await createStage({ createThumbnail })
  for (const type of ['application/pdf', 'image/svg+xml', ''])
    expect(fileBody((await shared(stage, photo(type))).message).thumbnail).toBeUndefined()
  expect(createThumbnail).not.toHaveBeenCalled()
})

test('a picture whose page is closed while it waits is sent with its thumbnail', async () => {
  await using stage = await stageWith()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.loses = (request) => request === 'POST /api/messages'
  anna.network.deaf = true
  anna.client.files.send(connectionId, photo(), { approve: true })
  await reaches(anna.client.outbox, ([item]) => item?.state === 'waiting')
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await sentAll(reloaded)
  const [message] = (await ben.client.messages.list(connectionId)) as FileMessage[]
  expect(await shown(ben, message as FileMessage)).toEqual(picture)
})

test('what a sender with other software has sealed is shown only if it is a small picture', async () => {
  const { secrets } = watchKeys()
  await using stage = await stageWith()
  const { anna, ben, message } = await shared(stage, photo())
  const alarms = vi.fn()
  ben.client.on('alarm', alarms)
  await approve(anna, ben, message)
  const { grant } = await ben.client.files.status(message.filePath)
  const body = fileBody(message)
  const hashes = await Promise.all(secrets.map(hashFileKey))
  const fileKey = secrets[hashes.indexOf(body.keyHash)] as Uint8Array<ArrayBuffer>
  async function showing(bytes: Uint8Array<ArrayBuffer>, type = body.type) {
    const thumbnail = await sealThumbnail({
      fileKey,
      userId: message.senderId,
      messageId: message.id,
      file: body,
      picture: bytes,
    })
    return ben.client.files.thumbnail({ ...message, body: { ...body, type, thumbnail } }, grant)
  }
  expect(await showing(picture)).toMatchObject({ type: 'image/webp', size: picture.length })
  for (const other of ['', 'GIF89a', '<html>', '%PDF-1.7'])
    expect(await showing(Uint8Array.from(Buffer.from(other.padEnd(100))))).toBeUndefined()
  expect(await showing(picture, 'application/pdf')).toBeUndefined()
  expect(await ben.client.files.thumbnail({ ...message, body: { ...body, thumbnail: 'AAAA' } }, grant)).toBeUndefined()
  expect(alarms).not.toHaveBeenCalled()
})
