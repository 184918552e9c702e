import { createFounderClient } from '@privity/client/founder'
import { deriveInWorker } from './derivation.ts'

/** The tab's one client. */
export const founderClient = createFounderClient({ origin: location.origin, deriveMasterKey: deriveInWorker })
