/** One lazily loaded chunk: everything that only new keys and a forgotten password need. */
export { createFreshKeys, createKeyReplacement } from './keyReplacement.ts'
export { createSignUpKeys, toOwnKeys } from './signUpKeys.ts'
export { recoverPassword } from './recoverPassword.ts'
export { reencryptStorage } from './reencrypt.ts'
export { removeLostWork } from './lostWork.ts'
