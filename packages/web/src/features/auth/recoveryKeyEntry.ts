import { useEffect, useState } from 'react'
import { authTexts } from './texts.ts'

const texts = authTexts.reset

/** 13 groups of 5; shorter entries are not judged while they are being typed. */
const characters = 65

export const isWholeKey = (text: string): boolean => text.replace(/[^\p{L}\p{N}]/gu, '').length >= characters

/** What to say at the field about a recovery key that was refused; undefined when the fault is not in the key. */
export function recoveryKeyError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'MALFORMED') return undefined
  const group = 'group' in error ? error.group : undefined
  return typeof group === 'number' ? texts.groupWrong(group) : error.message
}

async function check(text: string): Promise<string | undefined> {
  const { deriveRecovery } = await import('../../app/recoveryKey/recoveryKey.ts')
  return deriveRecovery(text).then(() => undefined, recoveryKeyError)
}

export interface KeyVerdict {
  /** The first group that is wrong, in words. */
  error?: string
  /** Every check character agrees. */
  right?: boolean
}

/** Says whether a wholly typed key can be one at all: every group carries a check character. */
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
