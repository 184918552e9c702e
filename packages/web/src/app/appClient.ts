import '@privity/contract/withoutEval'
import { type Client, createClient } from '@privity/client'
import { deriveInWorker } from '../workers/password.ts'
import { workerFileCrypto } from '../workers/files.ts'

/** The tab's one client. This file is where all the cryptography comes in: import it only dynamically. */
export function createAppClient(): Client {
  return createClient({
    origin: location.origin,
    deriveMasterKey: deriveInWorker,
    fileCrypto: workerFileCrypto,
  })
}
