import { elements, isWhole, textOf } from './responses.ts'
import type { S3Client } from './client.ts'
import { isMissing, isUnsupported } from './errors.ts'

/** An upload in parts that the store has begun. */
export interface Upload {
  id: string
  /** Whether the store checks and keeps the SHA-256 of each part. */
  hasChecksums: boolean
}

export interface UploadedPart {
  etag: string
  checksum: Buffer | undefined
}

/**
 * Asks for SHA-256 checksums (S3 makes them composite: a checksum of the parts' checksums). A store that confirms the
 * algorithm wants the checksum of every part, again when the parts are put together. One that passes over it, or
 * refuses it, gets none: the SHA-256 of each part is in the request's signature all the same.
 */
export async function beginUpload(s3: S3Client, key: string): Promise<Upload> {
  const begin = (headers: Record<string, string>) => s3.call({ method: 'POST', key, query: { uploads: '' }, headers })
  const { body, headers } = await begin({ 'x-amz-checksum-algorithm': 'SHA256' }).catch((error: unknown) => {
    if (isUnsupported(error)) return begin({})
    throw error
  })
  const id = isWhole(body, 'InitiateMultipartUploadResult') ? textOf(body, 'UploadId') : undefined
  if (!id) throw new Error('the object store gave no id for an upload')
  return { id, hasChecksums: headers['x-amz-checksum-algorithm'] === 'SHA256' }
}

const partElement = ({ etag, checksum }: UploadedPart, index: number): string => {
  const sha256 = checksum === undefined ? '' : `<ChecksumSHA256>${checksum.toString('base64')}</ChecksumSHA256>`
  return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag>${sha256}</Part>`
}

/** Returns the ETag of the object; undefined if an attempt whose answer was lost may have made it. */
export async function completeUpload(
  s3: S3Client,
  key: string,
  uploadId: string,
  parts: readonly UploadedPart[],
): Promise<string | undefined> {
  const listed = parts.map(partElement).join('')
  const body = Buffer.from(`<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`)
  try {
    const answer = await s3.call({ method: 'POST', key, query: { uploadId }, body })
    if (!isWhole(answer.body, 'CompleteMultipartUploadResult'))
      throw new Error('the object store did not say that the parts were put together')
    const [etag] = elements(answer.body, 'ETag')
    return etag?.replaceAll('&quot;', '"')
  } catch (error) {
    // Done by an attempt whose answer was lost; what is there then is verified like any other.
    if (isMissing(error)) return undefined
    throw error
  }
}
