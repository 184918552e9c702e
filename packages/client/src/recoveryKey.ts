/** Beside the one door: what checks a recovery key is fetched when somebody types one. */
export { deriveRecovery } from '@privity/e2ee/recoveryKey'
