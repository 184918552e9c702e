import { useState } from 'react'
import type { FactorMethod, PasskeyRequest, SecondFactorProof } from '@privity/contract/secondFactor'
import { isCallError, sentenceOf } from '../callError.ts'
import { askPasskey } from './browserPasskey.ts'
import { proofTexts } from './texts.ts'

export interface ProofEntry {
  methods: readonly FactorMethod[]
  /** undefined where there is nothing to confirm with. */
  method: FactorMethod | undefined
  text: string
  error: string | undefined
  choose(method: FactorMethod): void
  type(text: string): void
  /** Whether what was entered can be sent; else its field says why. */
  isReady(): boolean
  /** What to send; a passkey is asked for now. */
  collect(request: () => Promise<PasskeyRequest>): Promise<SecondFactorProof>
  /** Puts a refusal to its field; false where it is about something else. */
  refuse(error: unknown): boolean
  /** What was entered has done its work, or is not wanted any more. */
  clear(): void
}

function faultIn(method: FactorMethod | undefined, text: string): string | undefined {
  if (method === 'totp' && !/^\d{3} ?\d{3}$/.test(text.trim())) return proofTexts.codeMissing
  if (method === 'recoveryCode' && !text.trim()) return proofTexts.recoveryCodeMissing
  return undefined
}

/** A second factor being entered, by the method last chosen. `onChange`: what was said of the entry before is void. */
export function useProofEntry(methods: readonly FactorMethod[], onChange: () => void): ProofEntry {
  const [chosen, setChosen] = useState<FactorMethod>()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const method = chosen !== undefined && methods.includes(chosen) ? chosen : methods[0]
  return {
    methods,
    method,
    text,
    error,
    choose(next) {
      setChosen(next)
      setText('')
      setError(undefined)
      onChange()
    },
    type(next) {
      setText(next)
      setError(undefined)
      onChange()
    },
    isReady() {
      const fault = faultIn(method, text)
      setError(fault)
      return fault === undefined
    },
    async collect(request) {
      if (method === 'totp') return { code: text.trim() }
      if (method === 'recoveryCode') return { recoveryCode: text.trim() }
      return method === 'passkey' ? { assertion: await askPasskey(await request()) } : {}
    },
    refuse(failure) {
      const isAboutCode = isCallError(failure) && failure.code === 'SECOND_FACTOR_WRONG'
      if (isAboutCode) setError(sentenceOf(failure, ''))
      return isAboutCode
    },
    clear() {
      setText('')
      setError(undefined)
    },
  }
}
