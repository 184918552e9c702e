import { maxExcerptBytes, type Quote } from '@privity/e2ee'
import type { DecryptedMessage } from '../types.ts'

const maxCharacters = 80

/** The beginning of a text as one line, in what a quote has room for. */
function excerptOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/gu, ' ').trim())
  const bytesOf = (part: string) => new TextEncoder().encode(part).length
  if (characters.length <= maxCharacters && bytesOf(characters.join('')) <= maxExcerptBytes) return characters.join('')
  const kept = characters.slice(0, maxCharacters - 1)
  while (bytesOf(`${kept.join('')}…`) > maxExcerptBytes) kept.pop()
  return `${kept.join('')}…`
}

/** The line by which a message is quoted: of its text, or the name of its file; undefined where it has neither. */
export function quotableText({ body }: Pick<DecryptedMessage, 'body'>): string | undefined {
  if (body.kind === 'text') return excerptOf(body.text)
  return body.kind === 'file' ? excerptOf(body.name) : undefined
}

/** Quotes a message; undefined for one that shows nothing. */
export function quoteOf(message: DecryptedMessage): Quote | undefined {
  const excerpt = quotableText(message)
  return excerpt === undefined ? undefined : { messageId: message.id, expiresAt: message.expiresAt, excerpt }
}
