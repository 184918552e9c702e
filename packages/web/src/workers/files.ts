import { type FileCrypto, fromFailure } from '@privity/client'
// oxlint-disable-next-line import/default -- Vite makes it: the address of the Worker's file
import workerUrl from './fileWorker.ts?worker&url'
import type { FileWorkerRequest, FileWorkerAnswer, Sealed } from './fileWorker.ts'
import { runInWorker } from './run.ts'

function run<Result extends Sealed | Blob>(
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
      else settle.reject(fromFailure(data.failure))
    },
    signal,
  )
}

/** Each file is sealed or opened in a Worker of its own. */
export const workerFileCrypto: FileCrypto = {
  seal: (job, onProgress, signal) => run<Sealed>({ kind: 'seal', job }, onProgress, signal),
  open: (job, onProgress, signal) => run<Blob>({ kind: 'open', job }, onProgress, signal),
}
