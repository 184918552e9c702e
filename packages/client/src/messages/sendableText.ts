import { limits } from '@privity/contract/limits'
import { isVisible } from '@privity/contract/visible'
import { CallError } from '../transport/callError.ts'

/** Trims a text to what is sent. Throws EMPTY or TOO_LONG. */
export function toSendable(text: string): string {
  // A lone surrogate could not be encoded as UTF-8.
  const trimmed = text.toWellFormed().trim()
  if (Array.from(trimmed).length > limits.messageCharacters) throw new CallError('TOO_LONG')
  if (!isVisible(trimmed)) throw new CallError('EMPTY')
  return trimmed
}
