import '@privity/contract/withoutEval'
import { type Client, createClient } from '@privity/client'
import { deriveInWorker } from '../workers/password.ts'
import { workerFileCrypto } from '../workers/files.ts'

/** Creates the tab's only client. This module imports all cryptography: import it dynamically only. */
export function createAppClient(): Client {
  return createClient({
    origin: location.origin,
    deriveMasterKey: deriveInWorker,
    fileCrypto: workerFileCrypto,
  })
}
