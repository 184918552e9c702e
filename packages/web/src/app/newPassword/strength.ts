import { useEffect, useState } from 'react'
import { limits } from '@privity/contract/limits'
import { newPasswordTexts } from '../texts.ts'

export interface Strength {
  /** 0 (very weak) to 4 (strong), by zxcvbn's scale. */
  score: 0 | 1 | 2 | 3 | 4
  longEnough: boolean
  /** How to improve the password; empty if no advice is needed. */
  advice: string
}

const minScore = 3
/** Longer passwords are cut before estimation: the rest changes no score, and the estimate would take long. */
const maxCharacters = 128

export function isStrongEnough(strength: Strength): boolean {
  return strength.longEnough && strength.score >= minScore
}

/** Estimates the strength, with dictionaries (470 KB gzipped) loaded on first use. `about`: words to guess first. */
export async function measureStrength(password: string, about: string[]): Promise<Strength> {
  const { estimate } = await import('./zxcvbn.ts')
  const { score, feedback } = estimate(password.slice(0, maxCharacters), about.filter(Boolean))
  return {
    score,
    longEnough: Array.from(password).length >= limits.passwordCharacters,
    advice: [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' '),
  }
}

/** Strength of the current input; undefined if it is empty, not measured yet, or if measuring failed. */
export function useStrength(password: string, about: string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>()
  const words = about.join('\n')

  useEffect(() => {
    if (!password) return setStrength(undefined)
    let current = true
    measureStrength(password, words.split('\n'))
      .then((measured) => current && setStrength(measured))
      .catch((error: unknown) => console.error(error))
    return () => {
      current = false
    }
  }, [password, words])

  return password ? strength : undefined
}

/** Words about the user that an attacker would try first. */
export const aboutSelf = (values: { firstName: string; lastName: string; username: string; email: string }) => [
  values.firstName,
  values.lastName,
  values.username,
  ...values.email.split('@'),
]

/** Returns the error message for a password that is too short or too weak; undefined if it is accepted. */
export async function checkNewPassword(password: string, about: string[]): Promise<string | undefined> {
  const texts = newPasswordTexts.errors
  try {
    const strength = await measureStrength(password, about)
    if (!strength.longEnough) return texts.short
    return isStrongEnough(strength) ? undefined : texts.weak
  } catch (error) {
    console.error(error)
    return texts.unknown
  }
}
