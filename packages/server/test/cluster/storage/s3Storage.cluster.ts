import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createS3Client } from '../../../src/core/storage/s3/client.ts'
import { openOwnS3 } from '../../support/storage/bucket.ts'
import { testStorage } from '../../support/storage/storageCases.ts'
import { useS3 } from '../support/s3.ts'

useS3()
testStorage('an S3 bucket', () => openOwnS3())

test('a list of more than a page of the store is whole', async () => {
  const { storage, config } = await openOwnS3()
  const s3 = createS3Client(config)
  const ids = Array.from({ length: 1_005 }, () => randomUUID())
  for (let at = 0; at < ids.length; at += 15)
    await Promise.all(
      ids.slice(at, at + 15).map((id) => s3.call({ method: 'PUT', key: config.prefix + id, body: Buffer.alloc(0) })),
    )
  const { body } = await s3.call({ method: 'GET', key: '', query: { 'list-type': '2', prefix: config.prefix } })
  expect(body).toContain('<IsTruncated>true</IsTruncated>')
  expect((await storage.list()).map(({ id }) => id).sort()).toEqual(ids.sort())
})
