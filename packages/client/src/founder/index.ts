/**
 * The founder's entry: everything that the console does apart from drawing. It shares the typed calls with the members'
 * entry, and neither loads the other.
 */
export { createFounderClient, type FounderClient, type FounderClientOptions, type FounderSignIn } from './client.ts'
export { createMemoryKeyStore, type FounderKeyStore } from './keyStore.ts'
export type { ReportKeys } from './reportKeys.ts'
export { deriveFounderMasterKey } from '@privity/e2ee/founder'
export { type DecryptedReport, decryptReport, type ReportFault } from './reports.ts'
