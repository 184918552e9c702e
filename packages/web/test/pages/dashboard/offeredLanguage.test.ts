import { expect, test } from 'vitest'
import { languages } from '@privity/contract/languages'
import { languageQuestion, offeredLanguage } from '../../../src/pages/dashboard/offeredLanguage.ts'

test.each([
  [['de-DE', 'en-US'], 'en', 'de'],
  [['xx-XX', 'de-AT', 'en'], 'en', 'de'],
  [['en-GB', 'de'], 'de', 'en'],
] as const)('of %j, with an account in %s, it offers %s', (preferred, current, offered) => {
  expect(offeredLanguage(preferred, current)).toBe(offered)
})

test.each([
  [['en-US', 'de'], 'en'],
  [['xx-XX'], 'en'],
  [[], 'de'],
] as const)('of %j, with an account in %s, it offers none', (preferred, current) => {
  expect(offeredLanguage(preferred, current)).toBeUndefined()
})

test('every language has its question', () => {
  expect(Object.keys(languageQuestion).sort()).toEqual([...languages].sort())
})
