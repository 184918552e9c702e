import { limits } from '@privity/contract/limits'
import type { SupportCategory, SupportPriority } from '@privity/contract/support'
import { isCallError } from '../../app/callError.ts'
import { supportTexts } from './texts.ts'

export interface SupportDraft {
  /** Idempotency key: a request sent again after a lost response is stored once. */
  id: string
  subject: string
  category: SupportCategory
  message: string
  priority: SupportPriority
}

export type FieldErrors = Partial<Record<'subject' | 'message' | 'category' | 'priority', string>>

export const newDraft = (): SupportDraft => ({
  id: crypto.randomUUID(),
  subject: '',
  category: 'general',
  message: '',
  priority: 'normal',
})

export const isComplete = ({ subject, message }: SupportDraft): boolean =>
  subject.trim() !== '' && message.trim() !== ''

/** The message for each field that the server refused. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  if (!isCallError(error) || error.code !== 'INVALID_INPUT' || !Array.isArray(error.details)) return {}
  const { bad } = supportTexts.form
  const sentences = {
    subject: bad.subject(limits.supportSubjectCharacters),
    message: bad.message(limits.supportMessageCharacters),
    category: bad.other,
    priority: bad.other,
  }
  const paths = new Set((error.details as { path?: unknown }[]).map(({ path }) => path))
  return Object.fromEntries(Object.entries(sentences).filter(([field]) => paths.has(field)))
}
