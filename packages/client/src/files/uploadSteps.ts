import { files as contract } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { createFileKey, fileBinding, hashFileKey, type MessageBody, toBase64url } from '@privity/e2ee'
import { CallError, isCallError } from '../transport/callError.ts'
import type { TransferProgress } from './transfers.ts'
import { removeMetadata } from './metadata.ts'
import { createPut } from './put.ts'
import { createThumbnail } from './thumbnail.ts'
import type { SendFileOptions, UploadDeps } from './upload.ts'

/** The protocol's limit for the file type in a message. */
const maxTypeLength = 127

/** A file whose message waited for this long (ms) may have expired at the server: then it is uploaded again. */
const expiryAfterMs = 60_000

type FileBody = Extract<MessageBody, { kind: 'file' }>

/** A file on its way. */
export interface Upload {
  /** Encrypts, uploads and registers the file, then sends its message. */
  run(progress: TransferProgress): Promise<void>
  /** Takes back a message that waits. */
  discardQueued(): Promise<void>
}

export function createUpload(
  deps: UploadDeps,
  options: SendFileOptions & { connectionId: string; messageId: string; file: File; name: string },
): Upload {
  const { call, crypto } = deps
  const put = createPut(deps.uploadFetch)
  const { connectionId, messageId, file, name, keepMetadata, approve } = options
  const type = file.type.slice(0, maxTypeLength)
  const fileKey = createFileKey()
  let plain: Blob | undefined
  let thumbnail: Promise<string | undefined> | undefined
  let sealed: { ciphertext: Blob; bodyHash: string; keyHash: string } | undefined
  let uploaded: string | undefined
  let registered: { filePath: string; fileSize: number } | undefined
  let registeredAt = 0
  let queued = false

  async function upload(ciphertext: Blob, { done, signal }: TransferProgress): Promise<string> {
    const { uploadURL } = await call(contract.createUpload, {})
    signal.throwIfAborted()
    await put(new URL(uploadURL, deps.origin).href, ciphertext, done, signal)
    return uploadURL
  }

  async function register(): Promise<{ filePath: string; fileSize: number }> {
    try {
      return await call(contract.register, { body: { fileURL: uploaded ?? '' } })
    } catch (error) {
      // The upload expired before it was registered: the next attempt uploads again.
      if (isCallError(error, 'UPLOAD_NOT_FOUND')) uploaded = undefined
      throw error
    }
  }

  async function discardQueued(): Promise<void> {
    if (queued) await deps.outbox.discard(messageId)
    queued = false
  }

  async function queue(body: MessageBody, file: { filePath: string; fileSize: number }, signal: AbortSignal) {
    const sent = deps.sent(messageId)
    const cancelled = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
    const ended = Promise.race([sent, cancelled])
    ended.catch(() => {})
    if (queued) await deps.outbox.retry(messageId)
    else {
      const carried = { ...file, fileKey: toBase64url(fileKey), approve }
      await deps.outbox.add(connectionId, body, { file: carried, id: messageId })
    }
    queued = true
    try {
      await ended
    } catch (error) {
      // The stored file has expired, because the message waited too long, and the server has no message with its id.
      const isFileExpired = isCallError(error, 'FILE_NOT_FOUND')
      if (isFileExpired) uploaded = registered = undefined
      if (isFileExpired || signal.aborted) await discardQueued()
      throw error
    }
  }

  /** Runs each step once: a retry continues where the last attempt failed. */
  async function run(progress: TransferProgress): Promise<void> {
    const { signal, phase } = progress
    if (file.size > limits.fileBytes) throw new CallError('FILE_TOO_LARGE')
    plain ??= keepMetadata() ? file : await removeMetadata(file)
    thumbnail ??= createThumbnail(deps, { picture: plain, name, type, fileKey, messageId, signal })
    if (!sealed) {
      phase('encrypting', plain.size)
      const aad = fileBinding({ userId: deps.userId, messageId })
      const made = await crypto.encrypt({ file: plain, fileKey, aad }, progress.done, signal)
      sealed = { ...made, keyHash: await hashFileKey(fileKey) }
    }
    // Before anything of the file reaches the server: a pause later would show it which files have a thumbnail.
    const drawn = await thumbnail
    signal.throwIfAborted()
    const { bodyHash, keyHash, ciphertext } = sealed
    const body = { kind: 'file', name, type, size: plain.size, keyHash, bodyHash, thumbnail: drawn } as const
    let isSent = false
    while (!isSent) isSent = await sendUnlessExpired(body, ciphertext, progress)
  }

  /** Uploads the file unless it is there, then sends its message. Returns false if the file expired meanwhile. */
  async function sendUnlessExpired(body: FileBody, ciphertext: Blob, progress: TransferProgress): Promise<boolean> {
    const { signal, phase } = progress
    if (!uploaded) {
      phase('uploading', ciphertext.size)
      uploaded = await upload(ciphertext, progress)
    }
    if (!registered) {
      registered = await register()
      registeredAt = deps.clock.now()
    }
    signal.throwIfAborted()
    phase('sending', body.size)
    try {
      await queue(body, registered, signal)
      return true
    } catch (error) {
      if (isCallError(error, 'FILE_NOT_FOUND') && deps.clock.now() - registeredAt >= expiryAfterMs) return false
      throw error
    }
  }

  return { run, discardQueued }
}
