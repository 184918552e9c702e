import { describe, expect, it } from 'vitest'
import { characters } from '../../../src/features/messages/composer/characters.ts'
import { maxParts, splitText } from '../../../src/features/messages/composer/splitText.ts'

const sent = (text: string, limit: number) => splitText(text, limit).map((part) => part.trim())

describe('a text that is too long is divided', () => {
  it('not if it fits', () => {
    expect(splitText('x'.repeat(500))).toHaveLength(1)
    expect(splitText(` ${'🔑'.repeat(500)} \n`)).toEqual(['🔑'.repeat(500)])
  })

  it('where a paragraph ends', () => {
    expect(sent('One two. Three.\n\nFour five six seven.', 24)).toEqual(['One two. Three.', 'Four five six seven.'])
  })

  it('else where a sentence ends', () => {
    expect(sent('One two three. Four five six seven.', 24)).toEqual(['One two three.', 'Four five six seven.'])
  })

  it('else where a word ends', () => {
    expect(sent('No. One two three four five six', 20)).toEqual(['No. One two three', 'four five six'])
  })

  it('exactly at the limit, if a word ends there', () => {
    expect(sent('One two three four', 7)).toEqual(['One two', 'three', 'four'])
  })

  it('between the words of a script without spaces', () => {
    const [first = '', ...others] = sent('東京都に住んでいます', 4)
    expect(first).toBe('東京都に')
    expect(others.join('')).toBe('住んでいます')
  })

  it('within a word only if it is longer than a part', () => {
    expect(sent('xxxxxxxxxx', 4)).toEqual(['xxxx', 'xxxx', 'xx'])
  })

  it('never within what looks like one character', () => {
    const family = '👩‍👩‍👧‍👦'
    expect(sent(family.repeat(3), 8)).toEqual([family, family, family])
    expect(sent('🇩🇪🇫🇷🇮🇹', 3)).toEqual(['🇩🇪', '🇫🇷', '🇮🇹'])
    expect(sent('aae\u0301e\u0301', 3)).toEqual(['aa', 'e\u0301', 'e\u0301'])
  })

  it('not within a surrogate pair, even in one character longer than a part', () => {
    const parts = sent(`a${'\u{e0061}'.repeat(6)}b`, 3)
    for (const part of parts) expect(part.isWellFormed()).toBe(true)
  })
})

describe('the parts', () => {
  const words = 'The witness comes on Friday, at ten.  She brings both deeds!\nNobody else knows — “really”? 🔑 '
  const text = words.repeat(30)

  it('together are the text', () => {
    expect(splitText(text).join('')).toBe(text.trim())
  })

  it('are each within the limit', () => {
    for (const part of sent(text, 500)) expect(characters(part)).toBeLessThanOrEqual(500)
  })

  it('are at least half full, but for the last one', () => {
    for (const part of splitText(text).slice(0, -1)) expect(characters(part)).toBeGreaterThan(250)
  })

  it('are none of a blank text', () => {
    expect(splitText(' \n\u200b'.repeat(300))).toEqual([])
  })

  it('are counted up to one too many', () => {
    expect(splitText('x'.repeat(1_000_000))).toHaveLength(maxParts + 1)
  })
})
