import type { FieldErrors, Resolver } from 'react-hook-form'
import { isCallError, messageFor } from '../../../app/callError.ts'
import { aboutSelf, checkNewPassword } from '../../../app/newPassword/strength.ts'
import type { SignUpErrors, SignUpValues } from './signUpRules.ts'
import { authTexts } from '../texts.ts'

const texts = authTexts.errors

/** Validates the form for react-hook-form. The contract's schemas are loaded with the first validation. */
export const resolveSignUp: Resolver<SignUpValues> = async (values) => {
  const { checkNames } = await import('./signUpRules.ts')
  const found: SignUpErrors = checkNames(values)
  const password = await checkNewPassword(values.password, aboutSelf(values))
  if (password) found.password = password

  const errors: FieldErrors<SignUpValues> = {}
  for (const [field, message] of Object.entries(found)) {
    errors[field as keyof SignUpValues] = { type: 'rule', message }
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

const fields = ['firstName', 'lastName', 'email', 'username'] as const

/** Messages for the fields that the server refused. */
export function refusedFields(error: unknown): SignUpErrors {
  if (!isCallError(error)) return {}
  if (error.code === 'USERNAME_TAKEN') return { username: messageFor(error, texts.invalid) }
  if (error.code === 'EMAIL_TAKEN' || error.code === 'EMAIL_DOMAIN_REFUSED')
    return { email: messageFor(error, texts.invalid) }
  if (error.code !== 'INVALID_INPUT' || !Array.isArray(error.details)) return {}
  const paths = error.details.map((detail: unknown) => JSON.stringify(detail))
  return Object.fromEntries(
    fields.filter((field) => paths.some((path) => path.includes(`"${field}"`))).map((field) => [field, texts[field]]),
  )
}
