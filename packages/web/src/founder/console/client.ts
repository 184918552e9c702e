import { createFounderClient, type FounderClient } from '@privity/client/founder'
import { createIdentityQuestion } from '../../app/reauthentication.ts'
import { runInWorker } from '../../workers/run.ts'
// oxlint-disable-next-line import/default -- Vite provides it: the address of the Worker's file
import workerUrl from './founderWorker.ts?worker&url'
import type { DerivationJob, DerivationResult } from './founderWorker.ts'
import { consoleTexts } from './texts.ts'

const { identityQuestion, withIdentity } = createIdentityQuestion(() => consoleTexts.identity.cancelled)
export { identityQuestion }

/** Wraps the client: calls that require reauthentication ask the user and then run again. */
export const withReauthentication = (client: FounderClient): FounderClient => ({
  ...client,
  call: (endpoint, sent) => withIdentity(() => client.call(endpoint, sent)),
})

/** Runs Argon2id in a worker: half a second and 64 MiB would block the page. */
function deriveInWorker(password: string, salt: string): Promise<Uint8Array<ArrayBuffer>> {
  const job: DerivationJob = { password, salt }
  return runInWorker<Uint8Array<ArrayBuffer>>(workerUrl, job, ({ data }: MessageEvent<DerivationResult>, settle) =>
    'key' in data ? settle.resolve(data.key) : settle.reject(new Error(data.error)),
  )
}

/** The tab's only client. */
export const founderClient = withReauthentication(
  createFounderClient({ origin: location.origin, deriveMasterKey: deriveInWorker }),
)
