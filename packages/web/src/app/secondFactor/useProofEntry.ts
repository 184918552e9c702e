import { useState } from 'react'
import type { FactorMethod, PasskeyRequest, SecondFactorProof } from '@privity/contract/secondFactor'
import { isCallError, messageFor } from '../callError.ts'
import { askPasskey } from './browserPasskey.ts'
import { proofTexts } from '../texts.ts'

export interface ProofEntry {
  methods: readonly FactorMethod[]
  /** Undefined if the user has no method to confirm with. */
  method: FactorMethod | undefined
  text: string
  error: string | undefined
  /** Number of refused entries. The fields focus the input whenever it rises. */
  refusals: number
  choose(method: FactorMethod): void
  type(text: string): void
  /** Whether the input can be sent; otherwise shows an error at the field. */
  isReady(): boolean
  /** Returns the proof to send; asks for a passkey if that is the method. */
  collect(request: () => Promise<PasskeyRequest>): Promise<SecondFactorProof>
  /** Shows a refusal at the field. Returns false if it concerns something else. */
  refuse(error: unknown): boolean
  /** Clears the input after it was used or discarded. */
  clear(): void
}

function faultIn(method: FactorMethod | undefined, text: string): string | undefined {
  if (method === 'totp' && !/^\d{3} ?\d{3}$/.test(text.trim())) return proofTexts.codeMissing
  if (method === 'recoveryCode' && !text.trim()) return proofTexts.recoveryCodeMissing
  return undefined
}

/** Entry of a second factor by the method last chosen. `onChange` is called to clear errors about the old entry. */
export function useProofEntry(methods: readonly FactorMethod[], onChange: () => void): ProofEntry {
  const [chosen, setChosen] = useState<FactorMethod>()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const method = chosen !== undefined && methods.includes(chosen) ? chosen : methods[0]
  return {
    methods,
    method,
    text,
    error,
    refusals,
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
      if (!isAboutCode) return false
      setError(messageFor(failure, ''))
      setRefusals(refusals + 1)
      return true
    },
    clear() {
      setText('')
      setError(undefined)
    },
  }
}
