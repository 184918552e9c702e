import type { S3Client } from './client.ts'
import { isMissing, isUnsupported } from './errors.ts'
import { isWhole, textOf } from './responses.ts'

/** A multipart upload that the store has begun. */
export interface MultipartUpload {
  id: string
  /** Whether the store verifies and keeps the SHA-256 of each part. */
  hasChecksums: boolean
}

export interface UploadedPart {
  etag: string
  checksum: Buffer | undefined
}

/**
 * Requests SHA-256 checksums (S3 makes them composite: a checksum of the parts' checksums). A store that confirms the
 * algorithm needs the checksum of every part, and again on completion. One that ignores or refuses it gets none: the
 * request's signature covers the SHA-256 of each part anyway.
 */
export async function beginUpload(s3: S3Client, key: string): Promise<MultipartUpload> {
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

/** Returns the ETag of the object; undefined if an attempt whose response was lost may have created it. */
export async function completeUpload(
  s3: S3Client,
  key: string,
  uploadId: string,
  parts: readonly UploadedPart[],
): Promise<string | undefined> {
  const list = parts.map(partElement).join('')
  const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
  try {
    const response = await s3.call({ method: 'POST', key, query: { uploadId }, body })
    if (!isWhole(response.body, 'CompleteMultipartUploadResult'))
      throw new Error('the object store did not say that the parts were put together')
    return textOf(response.body, 'ETag')
  } catch (error) {
    // Completed by an attempt whose response was lost; the result is verified like any other.
    if (isMissing(error)) return undefined
    throw error
  }
}
