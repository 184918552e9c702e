import '@privity/contract/withoutEval'

/** In a file of its own, so that the cryptography comes with a dynamic import of this and with nothing else. */
export { deriveRecovery } from '@privity/client'
