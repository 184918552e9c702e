// oxlint-disable-next-line import/default -- Vite makes it: the address of the Worker's file
import workerUrl from './founderWorker.ts?worker&url'
import { runInWorker } from '../../workers/run.ts'
import type { FounderDerivationAnswer, FounderDerivationJob } from './founderWorker.ts'

/** Argon2id in a Worker: half a second and 64 MiB that the page does not feel. */
export function deriveInWorker(password: string, salt: string): Promise<Uint8Array<ArrayBuffer>> {
  const job: FounderDerivationJob = { password, salt }
  return runInWorker<Uint8Array<ArrayBuffer>>(
    workerUrl,
    job,
    ({ data }: MessageEvent<FounderDerivationAnswer>, settle) =>
      'key' in data ? settle.resolve(data.key) : settle.reject(new Error(data.error)),
  )
}
