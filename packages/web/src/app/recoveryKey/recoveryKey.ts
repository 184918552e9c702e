import '@privity/contract/withoutEval'

/** A separate module, so that the cryptography is loaded only by a dynamic import of this file. */
export { deriveRecovery } from '@privity/client'
