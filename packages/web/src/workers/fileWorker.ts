import '@privity/contract/withoutEval'
import { type Failure, openFile, type OpenJob, sealFile, type SealJob, toFailure } from '@privity/client'

export type FileWorkerRequest = { kind: 'seal'; job: SealJob } | { kind: 'open'; job: OpenJob }

export type Sealed = Awaited<ReturnType<typeof sealFile>>

export type FileWorkerAnswer = { done: number } | { result: Sealed | Blob } | { failure: Failure }

const report = (data: FileWorkerAnswer) => postMessage(data)
const onProgress = (done: number) => report({ done })
/** An abort ends the whole Worker, so nothing in it needs to hear of one. */
const never = new AbortController().signal

addEventListener('message', ({ data }: MessageEvent<FileWorkerRequest>) => {
  const work = data.kind === 'seal' ? sealFile(data.job, onProgress, never) : openFile(data.job, onProgress, never)
  work.then((result) => report({ result })).catch((error: unknown) => report({ failure: toFailure(error) }))
})
