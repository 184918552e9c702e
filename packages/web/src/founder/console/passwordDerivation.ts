// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from './founderWorker.ts?worker&url'
import { runInWorker } from '../../workers/run.ts'
import type { FounderDerivationAnswer, FounderDerivationJob } from './founderWorker.ts'

/** Runs Argon2id in a worker: half a second and 64 MiB would block the page. */
export function deriveInWorker(password: string, salt: string): Promise<Uint8Array<ArrayBuffer>> {
  const job: FounderDerivationJob = { password, salt }
  return runInWorker<Uint8Array<ArrayBuffer>>(
    workerUrl,
    job,
    ({ data }: MessageEvent<FounderDerivationAnswer>, settle) =>
      'key' in data ? settle.resolve(data.key) : settle.reject(new Error(data.error)),
  )
}
