import type { User } from '@privity/contract/session'

export const profileFields = ['firstName', 'lastName', 'email'] as const
export type ProfileField = (typeof profileFields)[number]
export type Profile = Record<ProfileField, string>
export type ProfileErrors = Partial<Record<ProfileField, string | undefined>>

export const profileOf = ({ firstName, lastName, email }: User): Profile => ({ firstName, lastName, email })
