/** A part of a message: text, or an address with the normalized form that is opened. */
export interface Part {
  text: string
  href?: string
}

/** An address ends at a space, a quotation mark, an angle bracket or punctuation of Chinese and Japanese. */
const candidates =
  /(?<![\p{L}\p{N}])https:\/\/[^\s"<>`“”„«»\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/giu

/** Characters that reorder or hide others, and backslashes, which browsers read as slashes. */
const deceptive = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\\]/u

const punctuation = /[.,:;!?'’‘*|]$/
const brackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

const count = (text: string, character: string) => text.split(character).length - 1

/** Removes punctuation at the end, and closing brackets that are not opened within the address. */
function withoutEnd(address: string): string {
  const last = address.slice(-1)
  const opening = brackets[last]
  const isClosing = opening !== undefined && count(address, last) > count(address, opening)
  return isClosing || punctuation.test(address) ? withoutEnd(address.slice(0, -1)) : address
}

/** Divides a message into texts and https addresses. What looks like an address and might deceive stays text. */
export function splitLinks(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: candidate, index } of text.matchAll(candidates)) {
    const address = withoutEnd(candidate)
    if (deceptive.test(candidate) || !URL.canParse(address)) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    parts.push({ text: address, href: new URL(address).href })
    end = index + address.length
  }
  if (end < text.length) parts.push({ text: text.slice(end) })
  return parts
}
