import { useEffect, useState } from 'react'
import { measureStrength, type Strength } from './strength.ts'

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
