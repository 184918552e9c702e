import { createFounderClient } from '@privity/client/founder'
import { askingIdentity } from './reauthentication.ts'
import { deriveInWorker } from './passwordDerivation.ts'

/** The tab's only client. */
export const founderClient = askingIdentity(
  createFounderClient({ origin: location.origin, deriveMasterKey: deriveInWorker }),
)
