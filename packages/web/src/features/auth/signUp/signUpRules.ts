import '@privity/contract/withoutEval'
import { session } from '@privity/contract/session'
import { isPlain } from '@privity/contract/values'
import { authTexts } from '../texts.ts'

export interface SignUpValues {
  firstName: string
  lastName: string
  email: string
  username: string
  password: string
}

export type SignUpErrors = Partial<Record<keyof SignUpValues, string>>

const names = session.register.body.pick({ firstName: true, lastName: true, email: true, username: true })

/** Checks the submitted fields by the contract's rules; returns the message for each invalid field. */
export function checkNames(values: SignUpValues): SignUpErrors {
  const read = names.safeParse(values)
  const errors: SignUpErrors = {}
  for (const issue of read.error?.issues ?? []) {
    const field = issue.path[0] as keyof typeof names.shape
    const isName = field === 'firstName' || field === 'lastName'
    errors[field] = authTexts.errors[isName && !isPlain(values[field]) ? 'marks' : field]
  }
  return errors
}
