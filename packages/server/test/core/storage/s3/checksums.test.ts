import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { afterEach, expect, test } from 'vitest'
import { createS3Client, type S3Timing } from '../../../../src/core/storage/s3/client.ts'
import { createS3Object, partBytes } from '../../../../src/core/storage/s3/upload.ts'

/** A store that implements checksums as S3 documents them, and two that do not. */
type Knowledge = 'knows' | 'passes over' | 'refuses'

interface Seen {
  name: string
  headers: IncomingHttpHeaders
  body: string
}

const timing: S3Timing = { silenceTimeoutMs: 5_000, callTimeoutMs: 5_000, retryPauseMs: 1 }
const sha256 = (body: string | Buffer) => createHash('sha256').update(body).digest('base64')
const failure = (code: string) => `<Error><Code>${code}</Code></Error>`
const spoil = (body: Buffer) => body.fill(Number(body[0]) ^ 1, 0, 1)
const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

/** Implements S3's rules for `x-amz-checksum-*`; the first `spoiled` requests are corrupted after signing. */
async function createStore(knowledge: Knowledge, spoiled = 0) {
  const seen: Seen[] = []
  const checksums = new Map<string, string>()
  let left = spoiled
  let size = 0

  function refusal(name: string, headers: IncomingHttpHeaders, body: Buffer): string | undefined {
    const given = headers['x-amz-checksum-sha256']
    if (knowledge === 'refuses' && headers['x-amz-checksum-algorithm'] !== undefined) return 'NotImplemented'
    if (knowledge !== 'knows') return undefined
    if (given !== undefined && given !== sha256(body)) return 'BadDigest'
    const part = /partNumber=(\d+)/.exec(name)?.[1]
    if (part !== undefined && given === undefined) return 'InvalidRequest'
    if (part !== undefined) checksums.set(part, String(given))
    const listed = Array.from(
      String(body).matchAll(/<PartNumber>(\d+)<.*?(?:<ChecksumSHA256>(.*?)<|<\/Part>)/g),
      ([, number, checksum]) => checksum !== undefined && checksums.get(String(number)) === checksum,
    )
    const isCompletion = /^POST .*uploadId=/.test(name)
    return isCompletion && (listed.length !== checksums.size || listed.includes(false)) ? 'InvalidPart' : undefined
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const chunks = (await request.toArray()) as Buffer[]
    const body = Buffer.concat(chunks)
    const name = `${request.method} ${request.url}`
    const isBytes = request.method === 'PUT'
    if (isBytes && left-- > 0) spoil(body)
    seen.push({ name, headers: request.headers, body: isBytes ? '' : String(body) })
    const code = refusal(name, request.headers, body)
    if (code !== undefined) return response.writeHead(code === 'NotImplemented' ? 501 : 400).end(failure(code))
    if (isBytes) size += body.length
    if (request.method === 'HEAD') return response.writeHead(200, { etag: '"e"', 'content-length': size }).end()
    if (name.endsWith('?uploads=')) {
      if (knowledge === 'knows') response.setHeader('x-amz-checksum-algorithm', 'SHA256')
      return response.end('<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>')
    }
    response.setHeader('etag', '"e"')
    const completed = '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>'
    return response.end(request.method === 'POST' ? completed : '')
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => (server.closeAllConnections(), server.close()))

  async function put(bytes: Buffer): Promise<void> {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = { endpoint, bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: 's', prefix: '' }
    const s3 = createS3Client({ ...config, pathStyle: true }, timing)
    const object = createS3Object(s3, 'key', { held: 0, limit: 64 * 1024 * 1024 })
    object.end(bytes)
    await finished(object)
  }
  return { seen, put }
}

const small = randomBytes(1_000)
const large = randomBytes(partBytes + 10)
const puts = (seen: Seen[]) => seen.filter(({ name }) => name.startsWith('PUT '))

test('a small object is sent with its SHA-256, in a signed header, and without MD5', async () => {
  const { seen, put } = await createStore('knows')
  await put(small)
  const [sent] = puts(seen)
  expect(sent?.headers['x-amz-checksum-sha256']).toBe(sha256(small))
  expect(sent?.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-checksum-sha256/)
  expect(sent?.headers).not.toHaveProperty('content-md5')
})

test('each part is sent with its SHA-256, in a signed header', async () => {
  const { seen, put } = await createStore('knows')
  await put(large)
  const sums = puts(seen).map(({ headers }) => headers['x-amz-checksum-sha256'])
  expect(sums.toSorted()).toEqual([large.subarray(0, partBytes), large.subarray(partBytes)].map(sha256).toSorted())
  for (const { headers } of puts(seen))
    expect(headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-checksum-sha256/)
})

test('an upload in parts names its algorithm, and repeats the checksums at its end', async () => {
  const { seen, put } = await createStore('knows')
  await put(large)
  expect(seen.find(({ name }) => name.endsWith('?uploads='))?.headers['x-amz-checksum-algorithm']).toBe('SHA256')
  const end = seen.find(({ name }) => /^POST .*uploadId=/.test(name))?.body ?? ''
  const listed = Array.from(end.matchAll(/<ChecksumSHA256>(.*?)</g), ([, checksum]) => checksum)
  expect(listed).toEqual([large.subarray(0, partBytes), large.subarray(partBytes)].map(sha256))
})

test.each([small.length, large.length])('an object of %d bytes that changed on the way is sent again', async (size) => {
  const { seen, put } = await createStore('knows', 1)
  await put(size === small.length ? small : large)
  expect(puts(seen)).toHaveLength(size === small.length ? 2 : 3)
})

test.each<Knowledge>(['passes over', 'refuses'])('a store that %s the algorithm gets parts without', async (how) => {
  const { seen, put } = await createStore(how)
  await put(large)
  expect(puts(seen)).toHaveLength(2)
  for (const { headers } of puts(seen)) expect(headers).not.toHaveProperty('x-amz-checksum-sha256')
  expect(seen.at(-2)?.body).not.toContain('Checksum')
  const signed = puts(seen).map(({ headers }) => headers['x-amz-content-sha256'])
  const hex = (part: Buffer) => createHash('sha256').update(part).digest('hex')
  expect(signed.toSorted()).toEqual([large.subarray(0, partBytes), large.subarray(partBytes)].map(hex).toSorted())
})
