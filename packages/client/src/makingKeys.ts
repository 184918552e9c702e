/** All that only new keys and a forgotten password need: one piece to fetch, when it comes to that. */
export { createChanging } from './changing.ts'
export { createFreshKeys, makeReplacement } from './keyReplacement.ts'
export { createNewKeys } from './newKeys.ts'
export { recoverPassword } from './recoverPassword.ts'
export { sealAnew } from './sealAnew.ts'
export { readIdentity } from '@privity/e2ee/identityRecord'
