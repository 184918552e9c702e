import { expect, it } from 'vitest'
import { durationWords, languageName, languages, languageTag } from '../src/languages.ts'

it.each([
  [24 * 60 * 60 * 1000, '24 hours', '24 Stunden'],
  [60 * 60 * 1000, '1 hour', '1 Stunde'],
  [10 * 60 * 1000, '10 minutes', '10 Minuten'],
  [30 * 1000, '30 seconds', '30 Sekunden'],
  [1500, '2 seconds', '2 Sekunden'],
])('%i ms are %s, %s', (ms, english, german) => {
  expect(durationWords(ms, 'en')).toBe(english)
  expect(durationWords(ms, 'de')).toBe(german)
})

it('names each language in itself, with its region', () => {
  expect(languages.map(languageName)).toEqual(['English', 'Deutsch'])
  expect(languages.map(languageTag)).toEqual(['en-US', 'de-DE'])
})
