import type { CallError } from '@privity/client'
import { translateError } from '../i18n/language.ts'
import { toast } from '../ui/toast/toastStore.ts'

/** Checks the shape instead of the class, so that screens for visitors need not load the client. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && 'status' in error && 'code' in error && 'sentence' in error
}

/** The client's message in the language of the interface. */
export const translated = ({ code, sentence }: Pick<CallError, 'code' | 'sentence'>): string =>
  translateError(code) ?? sentence

/** The message to show: the server's or its translation. The fallback is used if the server sent no explanation. */
export function messageFor(error: unknown, fallback: string): string {
  if (!isCallError(error) || (error.unexplained && fallback !== '')) return fallback
  return translateError(error.code) ?? (error.sentence || fallback)
}

/** Shows a failure as a toast. */
export function toastError(error: unknown, title: string, fallback = ''): void {
  toast({ title, description: messageFor(error, fallback), tone: 'destructive' })
}
