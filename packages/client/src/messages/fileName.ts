import { isVisible, withoutHidden } from '@privity/contract/visible'

const longest = 255

/** Characters that end a path, hide, or turn the direction of what follows, and so could disguise a file. */
const unsafe = /[\p{Cc}\p{Bidi_Control}/\\]/gu

/** A name that means nothing but itself to whoever saves or shows it, at most 255 units long, its ending kept. */
export function safeFileName(given: string): string {
  const name = withoutHidden(given.toWellFormed().replace(unsafe, '_')).trim()
  if (!isVisible(name) || name === '.' || name === '..') return 'file'
  if (name.length <= longest) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  // Half a character at the cut becomes whole again.
  return name.slice(0, longest - ending.length).toWellFormed() + ending
}
