import { createStore } from '@privity/client/store'
import { useStore } from '../ui/useStore.ts'
// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from './passwordWorker.ts?worker&url'
import type { DerivationAnswer, DerivationJob } from './passwordWorker.ts'
import { runInWorker } from './run.ts'

const running = createStore(0)

/** Runs Argon2id in a worker: half a second and 64 MiB would block the page. */
export async function deriveInWorker(
  password: string,
  username: string,
  version?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  running.set(running.get() + 1)
  try {
    const job: DerivationJob = { password, username, version }
    return await runInWorker<Uint8Array<ArrayBuffer>>(
      workerUrl,
      job,
      ({ data }: MessageEvent<DerivationAnswer>, settle) =>
        'key' in data ? settle.resolve(data.key) : settle.reject(new Error(data.error)),
    )
  } finally {
    running.set(running.get() - 1)
  }
}

/** Whether a key is being derived, for the label of a busy button. */
export function useDeriving(): boolean {
  return useStore(running) > 0
}
