import { isVisible, withoutHidden } from '@privity/contract/visible'

const longest = 255

/** Characters that separate paths, are invisible, or change the text direction, and so could disguise a file. */
const unsafe = /[\p{Cc}\p{Bidi_Control}/\\]/gu

/** Makes a file name safe to save and show: at most 255 UTF-16 units, with its extension kept. */
export function safeFileName(given: string): string {
  const name = withoutHidden(given.toWellFormed().replace(unsafe, '_')).trim()
  if (!isVisible(name) || name === '.' || name === '..') return 'file'
  if (name.length <= longest) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  // A surrogate pair that was cut becomes U+FFFD.
  return name.slice(0, longest - ending.length).toWellFormed() + ending
}
