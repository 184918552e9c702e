import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOwnS3 } from '../../support/storage/bucket.ts'
import { write } from '../../support/storage/storageCases.ts'
import { useS3 } from '../support/s3.ts'
import { createS3Proxy, faults, type S3Proxy } from '../support/s3Proxy.ts'

useS3()

let proxy: S3Proxy
beforeEach(async () => void (proxy = await createS3Proxy()))
afterEach(() => proxy[Symbol.asyncDispose]())

const count = (fits: RegExp) => proxy.seen.filter((name) => fits.test(name)).length
const open = (more = {}) => openOwnS3({ endpoint: proxy.endpoint, ...more })

test('where a lifecycle rule is refused, the log says what to set up', async () => {
  const { lines } = await open()
  expect(lines.join('')).toContain('has no lifecycle rule as a second net. Set up one that lets objects')
  expect(lines.join('')).not.toContain(process.env['TEST_S3_SECRET_ACCESS_KEY'])
})

test('a rule is put into a bucket that has none', async () => {
  const missing = faults(/^GET .*lifecycle/, { answer: 404, code: 'NoSuchLifecycleConfiguration' })
  const taken = faults(/^PUT .*lifecycle/, { answer: 200, body: ' ' })
  proxy.fault = (...request) => missing(...request) ?? taken(...request)
  expect((await open()).lines.join('')).not.toContain('lifecycle')
  expect(count(/^PUT .*lifecycle/)).toBe(1)
})

test('a store that refuses the checksum of a rule gets the rule with its MD5', async () => {
  let md5: string | string[] | undefined
  proxy.fault = (name, headers) => {
    if (!name.includes('lifecycle')) return undefined
    if (name.startsWith('GET ')) return { answer: 404, code: 'NoSuchLifecycleConfiguration' }
    if (headers['x-amz-checksum-sha256'] !== undefined) return { answer: 501, code: 'NotImplemented' }
    md5 = headers['content-md5']
    return { answer: 200, body: ' ' }
  }
  expect((await open()).lines.join('')).not.toContain('lifecycle')
  expect(md5).toMatch(/^[\w+/]{22}==$/)
})

const expiring = '<Filter><Prefix></Prefix></Filter><Status>Enabled</Status><Expiration><Days>2</Days></Expiration>'

test.each([
  ['one that deletes nothing', '<ID>other</ID>'],
  ['ours, switched off', `<ID>privity-expiry</ID>${expiring.replace('Enabled', 'Disabled')}`],
  ['that of another prefix', `<ID>privity-expiry</ID>${expiring.replace('<Prefix>', '<Prefix>elsewhere/')}`],
  ['one for what has a tag', expiring.replace('<Prefix></Prefix>', '<Tag><Key>a</Key><Value>b</Value></Tag>')],
  ['one that waits longer', expiring.replace('2</Days>', '30</Days>')],
])('foreign rules are kept, and named where they are no second net: %s', async (_what, rule) => {
  const body = `<LifecycleConfiguration><Rule>${rule}</Rule></LifecycleConfiguration>`
  proxy.fault = faults(/^GET .*lifecycle/, { answer: 200, body })
  expect((await open()).lines.join('')).toContain('has lifecycle rules of its own')
  expect(count(/^PUT .*lifecycle/)).toBe(0)
})

test('a rule of any name that covers these files is a second net', async () => {
  const body = `<LifecycleConfiguration><Rule><ID>a</ID></Rule><Rule><ID>b</ID>${expiring}</Rule></LifecycleConfiguration>`
  proxy.fault = faults(/^GET .*lifecycle/, { answer: 200, body })
  expect((await open()).lines.join('')).not.toContain('lifecycle')
})

test('old versions that are kept are warned of', async () => {
  const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
  proxy.fault = faults(/^GET .*versioning/, { answer: 200, body })
  expect((await open()).lines.join('')).toContain('keeps old versions')
})

test('a bucket that is not there, and keys that do not fit, are refused with a sentence', async () => {
  await expect(open({ bucket: 'no-such-bucket' })).rejects.toThrow('there is no bucket no-such-bucket')
  await expect(open({ secretAccessKey: 'wrong' })).rejects.toThrow('the keys are refused')
  await expect(open({ accessKeyId: 'nobody' })).rejects.toThrow('the keys are refused')
})

test('a store that does not answer is waited for', async () => {
  proxy.fault = faults(/./, { answer: 500 })
  const { storage, lines } = await open()
  expect(lines.join('')).toContain('The object store does not answer')
  proxy.fault = () => undefined
  const id = randomUUID()
  await write(storage, id, randomBytes(10))
  expect(await storage.size(id)).toBe(10)
})
