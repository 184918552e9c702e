/**
 * The founder's door: what the console does that is not drawing. It shares the typed calls with the members' door,
 * and neither loads the other.
 */
export { createFounderClient, type FounderClient, type FounderClientOptions, type FounderSignIn } from './client.ts'
export { createMemoryKey, type KeptKey } from './keyStore.ts'
export type { ReportKeys } from './reportKeys.ts'
export { deriveFounderMasterKey } from '@privity/e2ee/founder'
export { type ReadReport, readReport, type ReportFault } from './moderation.ts'
