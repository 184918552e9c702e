import { isVisible, withoutHidden } from '@privity/contract/visible'

const maxLength = 255

/** Characters that separate paths, are invisible, or change the text direction, and so could disguise a file. */
const unsafe = /[\p{Cc}\p{Bidi_Control}/\\]/gu

/** Makes a file name safe to save and show: at most 255 UTF-16 units, with its extension kept. */
export function safeFileName(untrusted: string): string {
  const name = withoutHidden(untrusted.toWellFormed().replace(unsafe, '_')).trim()
  if (!isVisible(name) || name === '.' || name === '..') return 'file'
  if (name.length <= maxLength) return name
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  // A surrogate pair that was cut becomes U+FFFD.
  return name.slice(0, maxLength - extension.length).toWellFormed() + extension
}
