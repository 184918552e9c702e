import { createFounderClient } from '@privity/client/founder'
import { askingIdentity } from './confirmIdentity.ts'
import { deriveInWorker } from './derivation.ts'

/** The tab's one client. */
export const founderClient = askingIdentity(
  createFounderClient({ origin: location.origin, deriveMasterKey: deriveInWorker }),
)
