/** All that only new keys and a forgotten password need: one piece to fetch, when it comes to that. */
export { createChanging } from './rotateKeys.ts'
export { createFreshKeys, makeReplacement } from './keyReplacement.ts'
export { createNewKeys } from './signUpKeys.ts'
export { recoverPassword } from './recoverPassword.ts'
export { sealAnew } from './reencrypt.ts'
