import { type FileCrypto, fromWorkerError } from '@privity/client'
// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from './fileWorker.ts?worker&url'
import type { FileWorkerRequest, FileWorkerAnswer, EncryptedFile } from './fileWorker.ts'
import { runInWorker } from './run.ts'

function run<Result extends EncryptedFile | Blob>(
  request: FileWorkerRequest,
  onProgress: (done: number) => void,
  signal: AbortSignal,
) {
  return runInWorker<Result>(
    workerUrl,
    request,
    ({ data }: MessageEvent<FileWorkerAnswer>, settle) => {
      if ('done' in data) onProgress(data.done)
      else if ('result' in data) settle.resolve(data.result as Result)
      else settle.reject(fromWorkerError(data.failure))
    },
    signal,
  )
}

/** Encrypts or decrypts each file in its own worker. */
export const workerFileCrypto: FileCrypto = {
  encrypt: (job, onProgress, signal) => run<EncryptedFile>({ kind: 'encrypt', job }, onProgress, signal),
  decrypt: (job, onProgress, signal) => run<Blob>({ kind: 'decrypt', job }, onProgress, signal),
  createThumbnail: async (...args) => (await import('./thumbnail.ts')).createThumbnail(...args),
}
