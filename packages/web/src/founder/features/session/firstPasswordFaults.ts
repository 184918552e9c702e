import { limits } from '@privity/contract/limits'
import { sessionTexts } from './texts.ts'

export interface Passwords {
  current: string
  next: string
  again: string
}

const texts = sessionTexts.first

/** A message for each invalid field. */
export function firstPasswordFaults({ current, next, again }: Passwords): Partial<Record<keyof Passwords, string>> {
  const isShort = Array.from(next).length < limits.passwordCharacters
  const isSame = current !== '' && next === current
  return {
    ...(current === '' && { current: sessionTexts.passwordMissing }),
    ...(isShort ? { next: texts.rule } : isSame && { next: texts.same }),
    ...(next !== again && { again: texts.differs }),
  }
}
