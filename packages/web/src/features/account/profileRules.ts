import '@privity/contract/withoutEval'
import { account } from '@privity/contract/account'
import { isPlain } from '@privity/contract/values'
import { isCallError, messageFor } from '../../app/callError.ts'
import { accountTexts } from './texts.ts'

const profileFields = ['firstName', 'lastName', 'email'] as const
export type ProfileField = (typeof profileFields)[number]
export type Profile = Record<ProfileField, string>
export type ProfileErrors = Partial<Record<ProfileField, string | undefined>>

function sentenceFor(field: keyof Profile, typed: string): string {
  const { errors } = accountTexts.profile
  return field !== 'email' && !isPlain(typed) ? errors.marks : errors[field]
}

/** Checks the profile by the contract's rules; returns the message for each invalid field. */
export function checkProfile(profile: Profile): ProfileErrors {
  const read = account.updateProfile.body.safeParse(profile)
  const faults = new Set(read.error?.issues.map(({ path }) => path[0]))
  return Object.fromEntries(
    profileFields.filter((field) => faults.has(field)).map((field) => [field, sentenceFor(field, profile[field])]),
  )
}

/** Messages for the fields that the server refused. */
export function refusedProfile(error: unknown, sent: Profile): ProfileErrors {
  if (!isCallError(error)) return {}
  if (error.code === 'EMAIL_TAKEN') return { email: messageFor(error, '') }
  return error.code === 'INVALID_INPUT' ? checkProfile(sent) : {}
}
