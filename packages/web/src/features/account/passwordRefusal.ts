import { isCallError } from '../../app/callError.ts'

const codes = ['WRONG_PASSWORD', 'ACCOUNT_LOCKED']

/** Whether what was refused is the password that proves who one is: its field says so. */
export const isPasswordRefusal = (error: unknown): boolean => isCallError(error) && codes.includes(error.code)
