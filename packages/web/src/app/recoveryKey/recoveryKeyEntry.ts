import { useEffect, useState } from 'react'
import { recoveryKeyEntryTexts as texts } from './texts.ts'

/** 13 groups of 5. Shorter input is not checked, because it is still being typed. */
const characters = 65

export const isWholeKey = (text: string): boolean => text.replace(/[^\p{L}\p{N}]/gu, '').length >= characters

/** The message for a refused recovery key; undefined if the error concerns something else. */
export function recoveryKeyError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'MALFORMED') return undefined
  const group = 'group' in error ? error.group : undefined
  return typeof group === 'number' ? texts.groupWrong(group) : error.message
}

async function check(text: string): Promise<string | undefined> {
  const { deriveRecovery } = await import('./recoveryKey.ts')
  return deriveRecovery(text).then(() => undefined, recoveryKeyError)
}

export interface KeyVerdict {
  /** Message about the first wrong group. */
  error?: string
  /** All check characters match. */
  right?: boolean
}

/** Checks a completely typed key by its groups' check characters, without the server. */
export function useKeyVerdict(text: string): KeyVerdict {
  const [verdict, setVerdict] = useState<KeyVerdict>({})

  useEffect(() => {
    setVerdict({})
    if (!isWholeKey(text)) return
    let current = true
    check(text)
      .then((error) => current && setVerdict(error === undefined ? { right: true } : { error }))
      .catch((error: unknown) => console.error(error))
    return () => {
      current = false
    }
  }, [text])

  return verdict
}
