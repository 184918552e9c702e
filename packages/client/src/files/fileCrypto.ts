import type { Bytes } from '@privity/e2ee'

export interface EncryptJob {
  file: Blob
  fileKey: Bytes
  aad: Bytes
}

export interface DecryptJob {
  /** Address of the ciphertext. */
  url: string
  fileKey: Bytes
  aad: Bytes
  /** The hash of the ciphertext, from the file message. */
  bodyHash: string
  /** Bytes of the plaintext, from the file message. */
  size: number
  type: string
}

/** `done` counts plaintext bytes. */
export type OnProgress = (done: number) => void

/** File encryption. In browsers a Worker runs the functions below. */
export interface FileCrypto {
  encrypt(job: EncryptJob, onProgress: OnProgress, signal: AbortSignal): Promise<{ ciphertext: Blob; bodyHash: string }>
  /** Returns the whole plaintext once every segment, the end and the hash are verified. */
  decrypt(job: DecryptJob, onProgress: OnProgress, signal: AbortSignal): Promise<Blob>
  /**
   * Draws a picture small, in at most `maxBytes`. Undefined, or a rejection, where that is not possible. Only browsers
   * can.
   */
  createThumbnail?(picture: Blob, maxBytes: number, signal: AbortSignal): Promise<Bytes | undefined>
}
