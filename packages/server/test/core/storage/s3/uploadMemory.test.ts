import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createS3Client } from '../../../../src/core/storage/s3/client.ts'
import { createS3Object } from '../../../../src/core/storage/s3/upload.ts'

test('an upload over the memory of all is refused; a destroyed one frees its own', async () => {
  // Nothing listens there: none of these uploads gets as far as a request.
  const endpoint = 'http://127.0.0.1:9'
  const config = { endpoint, bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: 's', prefix: '' }
  const s3 = createS3Client({ ...config, pathStyle: true })
  const memory = { held: 0, limit: 1024 * 1024 }
  const first = createS3Object(s3, 'first', memory)
  first.write(Buffer.alloc(600_000))
  const second = createS3Object(s3, 'second', memory)
  second.write(Buffer.alloc(1))
  expect(await once(second, 'error')).toMatchObject([{ code: 'UNAVAILABLE' }])
  expect(memory.held).toBe(memory.limit)
  first.destroy()
  await once(first, 'close')
  expect(memory.held).toBe(0)
})
