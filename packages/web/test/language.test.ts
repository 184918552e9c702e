import { afterEach, expect, test } from 'vitest'
import { sentenceOf } from '../src/core/callError.ts'
import { formatNumber, language, plural, speak, startLanguage } from '../src/core/language.ts'
import { errorSentences } from '../src/core/errors.de.ts'
import { formatPart, formatSize } from '../src/features/files/fileSize.ts'
import { landingTexts } from '../src/features/landing/texts.ts'
import { messageTexts } from '../src/features/messages/texts.ts'
import { expiryOf } from '../src/features/messages/expiry.ts'
import { authTexts } from '../src/features/auth/texts.ts'
import { errors } from '@privity/contract/errors'

await startLanguage(() => import('../src/german.ts'))
afterEach(() => speak('en'))

test('English is what it was, after German too', async () => {
  const { signIn } = authTexts
  const before = JSON.stringify(landingTexts)
  await speak('de')
  expect([language.get(), landingTexts.signIn, authTexts.signIn.title]).toEqual(['de', 'Anmelden', 'Anmelden'])
  expect(signIn.title, 'what a component holds').toBe('Anmelden')
  await speak('en')
  expect([language.get(), JSON.stringify(landingTexts), signIn.title]).toEqual(['en', before, 'Sign in'])
})

test('the language asked for last holds, however long the other takes', async () => {
  await Promise.all([speak('de'), speak('en')])
  expect([language.get(), landingTexts.signIn]).toEqual(['en', 'Sign In'])
})

test('numbers, plurals, sizes and times follow the language', async () => {
  const said = () => [
    formatNumber(1234.5),
    plural(1, { one: 'one', other: 'many' }) + plural(0, { one: 'one', other: 'many' }),
    formatSize(2_516_582),
    formatSize(1),
    formatPart(31_352_423, 50_541_363).join(' of '),
    expiryOf({ createdAt: 0, expiresAt: 86_400_000 }, 0).text,
    expiryOf({ createdAt: 0, expiresAt: 86_400_000 }, 86_390_000).text,
    messageTexts.delivery.read,
  ]
  expect(said()).toEqual([
    '1,234.5',
    'onemany',
    '2.4 MB',
    '1 byte',
    '29.9 of 48.2 MB',
    'disappears in 24 h',
    'disappears in under 1 min',
    'Read',
  ])
  await speak('de')
  expect(said()).toEqual([
    '1.234,5',
    'onemany',
    '2,4 MB',
    '1 Byte',
    '29,9 of 48,2 MB',
    'verschwindet in 24 Std.',
    'verschwindet in weniger als 1 Min.',
    'Gelesen',
  ])
})

test('a refusal of the server is said in the language, by its code', async () => {
  const refusal = Object.assign(new Error('x'), {
    status: 401,
    code: 'WRONG_CREDENTIALS',
    sentence: 'As the server says.',
  })
  expect(sentenceOf(refusal, '')).toBe('As the server says.')
  await speak('de')
  expect(sentenceOf(refusal, '')).toBe('Benutzername oder Passwort ist nicht richtig.')
})

type Texts = Record<string, unknown>
const english: Record<string, Record<string, Texts>> = import.meta.glob('../src/**/texts.ts', { eager: true })
const german: Record<string, Record<string, Texts>> = import.meta.glob('../src/**/texts.de.ts', { eager: true })

/** The paths to every text in an object, with its kind. */
function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, `${path}.${name}`))
}

test.each(Object.keys(german))('%s has every text of the English file, and no other', async (path) => {
  await speak('en')
  const before = english[path.replace('.de.ts', '.ts')] ?? {}
  const given = german[path] ?? {}
  expect(Object.keys(given)).toEqual(Object.keys(before))
  for (const name of Object.keys(before))
    expect(pathsOf(given[name], name).sort()).toEqual(pathsOf(before[name], name).sort())
})

test('a German sentence stands for each refusal that has one, and none for a code that does not exist', () => {
  expect(Object.keys(errorSentences).filter((code) => !(code in errors))).toEqual([])
  for (const code of ['WRONG_CREDENTIALS', 'ACCOUNT_LOCKED', 'CODE_UNKNOWN', 'RATE_LIMITED', 'DOWNLOAD_NOT_AUTHORIZED'])
    expect(errorSentences[code as keyof typeof errors]).toBeTruthy()
})
