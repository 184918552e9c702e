import type { CallError } from '@privity/client'
import { refusal } from '../i18n/language.ts'

/** Told by its shape, so that screens shown before anyone is signed in need not load the client for it. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && 'status' in error && 'code' in error && 'sentence' in error
}

/** What the client says, in the language of the interface. */
export const translated = ({ code, sentence }: Pick<CallError, 'code' | 'sentence'>): string =>
  refusal(code) ?? sentence

/** The sentence to show: the server's own or its translation, or the fallback where there is one and it said nothing. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (!isCallError(error) || (error.unexplained && fallback !== '')) return fallback
  return refusal(error.code) ?? (error.sentence || fallback)
}
