import { limits } from '@privity/contract/limits'

export interface Strength {
  /** 0 very weak to 4 strong, as zxcvbn counts. */
  score: 0 | 1 | 2 | 3 | 4
  longEnough: boolean
  /** What would make it better; empty when nothing needs saying. */
  advice: string
}

const leastScore = 3
/** Beyond this nothing more is learnt, and the estimate would take long. */
const mostCharacters = 128

export function isStrongEnough(strength: Strength): boolean {
  return strength.longEnough && strength.score >= leastScore
}

/** Loads the dictionaries (470 KB gzipped) on first use. `about` are words a guesser would try first: names, address. */
export async function measureStrength(password: string, about: string[]): Promise<Strength> {
  const { estimate } = await import('./zxcvbn.ts')
  const { score, feedback } = estimate(password.slice(0, mostCharacters), about.filter(Boolean))
  return {
    score,
    longEnough: Array.from(password).length >= limits.passwordCharacters,
    advice: [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' '),
  }
}
