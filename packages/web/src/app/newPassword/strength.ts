import { limits } from '@privity/contract/limits'

export interface Strength {
  /** 0 (very weak) to 4 (strong), by zxcvbn's scale. */
  score: 0 | 1 | 2 | 3 | 4
  longEnough: boolean
  /** How to improve the password; empty if no advice is needed. */
  advice: string
}

const leastScore = 3
/** Longer passwords are cut before estimation: the rest changes no score, and the estimate would take long. */
const mostCharacters = 128

export function isStrongEnough(strength: Strength): boolean {
  return strength.longEnough && strength.score >= leastScore
}

/** Estimates the strength, with dictionaries (470 KB gzipped) loaded on first use. `about`: words to guess first. */
export async function measureStrength(password: string, about: string[]): Promise<Strength> {
  const { estimate } = await import('./zxcvbn.ts')
  const { score, feedback } = estimate(password.slice(0, mostCharacters), about.filter(Boolean))
  return {
    score,
    longEnough: Array.from(password).length >= limits.passwordCharacters,
    advice: [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' '),
  }
}
