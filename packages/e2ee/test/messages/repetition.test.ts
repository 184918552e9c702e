import { describe, expect, test } from 'vitest'
import { createAccountKey, importAccountKey } from '../../src/index.ts'
import { isCountedText, repetitionTag } from '../../src/messages/repetition.ts'
import { fromHex } from '../support/hex.ts'
import vectors from '../vectors/repetition.json' with { type: 'json' }

const accountKey = await importAccountKey(createAccountKey())
const tag = (text: string, day = '2030-01-31') => repetitionTag(accountKey, day, text)

/** Deterministic, so that what fails once fails again. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const random = createRandom(7)
const letters = [...'abcdefghijklmnopqrstuvwxyzäöüéß0123456789.,!?', '😀', '漢', '字']
const someWord = () => Array.from({ length: 1 + random(9) }, () => letters[random(letters.length)]).join('')
const someText = () => Array.from({ length: 4 + random(8) }, someWord).join(' ')
const spaces = [' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003']

describe('the repetition tag', () => {
  test.each(vectors.tests)('of $day is as published', async ({ accountKey: raw, day, text, tag: expected }) => {
    expect(await repetitionTag(await importAccountKey(fromHex(raw)), day, text)).toBe(expected)
  })

  test('is the same whatever the case, spacing and Unicode form', async () => {
    for (let i = 0; i < 200; i++) {
      const text = someText()
      const spaced = text.replaceAll(' ', () => spaces[random(spaces.length)] as string)
      const shouted = Array.from(spaced, (letter) =>
        random(2) && letter !== 'ß' ? letter.toUpperCase() : letter,
      ).join('')
      const other = `\n${shouted.normalize(random(2) ? 'NFD' : 'NFC')} `
      expect(await tag(other), JSON.stringify([text, other])).toBe(await tag(text))
    }
  })

  test('is another for every other text, day and account', async () => {
    const texts = new Set(Array.from({ length: 200 }, someText))
    const tags = new Set<string>()
    const other = await importAccountKey(createAccountKey())
    for (const text of texts) {
      tags
        .add(await tag(text))
        .add(await tag(text, '2030-02-01'))
        .add(await repetitionTag(other, '2030-01-31', text))
    }
    expect(tags.size).toBe(3 * texts.size)
  })

  test('takes half a character as nothing else would', async () => {
    expect(await tag('half \ud83d of a character, and more')).toBe(await tag('half \ufffd of a character, and more'))
  })
})

test('texts count from 20 characters on, as people count them', () => {
  for (const text of ['x'.repeat(20), '😀'.repeat(20), `${'word '.repeat(3)}wordss`, ` ${'x'.repeat(20)} `])
    expect(isCountedText(text), text).toBe(true)
  for (const text of ['', 'x'.repeat(19), '😀'.repeat(19), `a${' '.repeat(400)}b`, `  ${'x'.repeat(19)}  `])
    expect(isCountedText(text), text).toBe(false)
})
