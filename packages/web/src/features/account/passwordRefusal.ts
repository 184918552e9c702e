import { isCallError } from '../../app/callError.ts'

const codes = ['WRONG_PASSWORD', 'ACCOUNT_LOCKED']

/** Whether the refusal concerns the current password, so that its field shows the error. */
export const isPasswordRefusal = (error: unknown): boolean => isCallError(error) && codes.includes(error.code)
