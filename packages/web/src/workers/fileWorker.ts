import '@privity/contract/withoutEval'
import {
  type WorkerError,
  downloadAndDecrypt,
  type DecryptJob,
  encryptBlob,
  type EncryptJob,
  toWorkerError,
} from '@privity/client'

export type FileWorkerRequest = { kind: 'encrypt'; job: EncryptJob } | { kind: 'decrypt'; job: DecryptJob }

export type EncryptedFile = Awaited<ReturnType<typeof encryptBlob>>

export type FileWorkerAnswer = { done: number } | { result: EncryptedFile | Blob } | { failure: WorkerError }

const report = (data: FileWorkerAnswer) => postMessage(data)
const onProgress = (done: number) => report({ done })
/** An abort terminates the whole worker, so no signal is needed here. */
const never = new AbortController().signal

addEventListener('messageerror', () => report({ failure: { kind: 'other', message: 'The job cannot be read.' } }))
addEventListener('message', ({ data }: MessageEvent<FileWorkerRequest>) => {
  const work =
    data.kind === 'encrypt' ? encryptBlob(data.job, onProgress, never) : downloadAndDecrypt(data.job, onProgress, never)
  work.then((result) => report({ result })).catch((error: unknown) => report({ failure: toWorkerError(error) }))
})
