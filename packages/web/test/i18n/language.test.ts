import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { messageFor, translated } from '../../src/app/callError.ts'
import { deviceName } from '../../src/i18n/names.ts'
import { formatNumber, language, plural, speak, startLanguage } from '../../src/i18n/language.ts'
import { spellCode } from '../../src/features/connections/code/spelling.ts'
import { formatPart, formatSize } from '../../src/features/files/fileLabels.ts'
import { documentText } from '../../src/features/legal/Document.tsx'
import { landingTexts } from '../../src/features/landing/texts.ts'
import { messageTexts } from '../../src/features/messages/texts.ts'
import { phaseWords, reasonOf } from '../../src/features/files/fileState.ts'
import { fileTexts } from '../../src/features/files/texts.ts'
import { NamedSeal } from '../../src/features/trust/Seal.tsx'
import { faqTexts } from '../../src/features/support/faq/texts.ts'
import { authTexts } from '../../src/features/auth/texts.ts'
import { CallError } from '@privity/client'
import { errors } from '@privity/contract/errors'
import { defaultLanguage, languages } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { expiryOf } from '../../src/features/messages/message/MessageRow.tsx'
import themeScript from '../../public/theme.js?raw'
import { searchFaq } from '../../src/features/support/faq/Faq.tsx'

await startLanguage(() => import('../../src/i18n/translations.ts'))
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

test.each(languages)('in %s, no text about a file without downloads left names a number', async (each) => {
  await speak(each)
  // An approval can allow 1 to 3 downloads.
  const refusal = reasonOf({ code: 'DOWNLOADS_USED_UP', error: errors.DOWNLOADS_USED_UP.message })
  expect([refusal, fileTexts.allUsed, fileTexts.usedUp('Helen')].filter((sentence) => /\d/.test(sentence))).toEqual([])
})

test('the language asked for last holds, however long the other takes', async () => {
  await Promise.all([speak('de'), speak('en')])
  expect([language.get(), landingTexts.signIn]).toEqual(['en', 'Sign In'])
})

test('why an upload failed is said in the language, whoever says it', async () => {
  const reasons = () => [
    reasonOf({ code: 'FILES_FULL', error: errors.FILES_FULL.message }),
    reasonOf({ error: 'The file could not be transferred.' }),
  ]
  expect(reasons()).toEqual([expect.stringMatching(/^Your storage is full/), 'Could not share file'])
  await speak('de')
  expect(reasons()).toEqual([
    expect.stringMatching(/^Ihr Speicherplatz ist belegt/),
    'Die Datei konnte nicht geteilt werden',
  ])
})

test('how far a transfer is and the state of a safety number follow a language chosen meanwhile', async () => {
  const said = () => [
    phaseWords({ phase: 'saving' }),
    renderToStaticMarkup(createElement(NamedSeal, { state: 'verified' })).replace(/.*>(.+)<.*/, '$1'),
  ]
  expect(said()).toEqual(['Saving', 'Verified'])
  await speak('de')
  expect(said()).toEqual(['Wird gespeichert', 'Verifiziert'])
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
  expect(messageFor(refusal, '')).toBe('As the server says.')
  await speak('de')
  expect(messageFor(refusal, '')).toBe('Benutzername oder Passwort ist falsch.')
})

test('if the server says nothing, the specification’s words stand, or else the status’s meaning', () => {
  const silent = Object.assign(new Error('x'), { status: 502, code: 'UNAVAILABLE', sentence: 'As the client says.' })
  expect(messageFor(silent, 'login failed')).toBe('As the client says.')
  const unexplained = Object.assign(silent, { unexplained: true })
  expect(messageFor(unexplained, 'login failed')).toBe('login failed')
  expect(messageFor(unexplained, '')).toBe('As the client says.')
  expect(messageFor(new Error('x'), 'login failed')).toBe('login failed')
})

test('why a message is not shown, and an alarm of the client, are said in the language', async () => {
  const reason = { code: 'MESSAGE_ALTERED', sentence: 'As the client says.' } as const
  expect(translated(reason)).toBe('As the client says.')
  await speak('de')
  expect(translated(reason)).toBe('Diese Nachricht wird nicht angezeigt: Sie wurde unterwegs verändert.')
  expect(translated({ code: 'ACCEPTED_LOST', sentence: '' })).toMatch(/Vergleichen Sie die Sicherheitsnummern/)
})

type Texts = Record<string, unknown>
const errorTexts: Record<string, { errorSentences: Record<string, string> }> = import.meta.glob(
  '../../src/i18n/errors.*.ts',
  { eager: true },
)
// The founder console exists in English only.
const english: Record<string, Record<string, Texts>> = import.meta.glob(
  ['../../src/**/texts.ts', '!../../src/founder/**'],
  {
    eager: true,
  },
)
const translations: Record<string, Record<string, Texts>> = import.meta.glob('../../src/**/texts.*.ts', { eager: true })
const others = languages.filter((each) => each !== defaultLanguage)
const englishOf = (path: string) => english[path.replace(/\.\w+\.ts$/, '.ts')]

/** Paths of all texts in an object, with their types. */
function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, `${path}.${name}`))
}

test('every file of texts has one in each other language, and no translation stands alone', () => {
  const translationsOf = (path: string) => others.map((each) => path.replace(/texts\.ts$/, `texts.${each}.ts`))
  expect(Object.keys(english).length).toBeGreaterThan(15)
  expect(Object.keys(translations).sort()).toEqual(Object.keys(english).flatMap(translationsOf).sort())
})

test('the script that runs before the first paint has the same list of languages', () => {
  const [, list = ''] = /const languages = (\[.*\])/.exec(themeScript) ?? []
  expect(list.replaceAll("'", '"')).toBe(JSON.stringify(languages).replaceAll(',', ', '))
})

test.each(['terms', 'privacy', 'threatModel'] as const)('the document %s stands in each language', (name) => {
  const texts = new Set(languages.map((each) => documentText(name, each)))
  expect([...texts].filter((text) => text.length > 1000)).toHaveLength(languages.length)
})

test.each(Object.keys(translations))('%s has every text of the English file, and no other', async (path) => {
  await speak('en')
  const before = englishOf(path) ?? {}
  const given = translations[path] ?? {}
  expect(Object.keys(given).sort()).toEqual(Object.keys(before).sort())
  for (const name of Object.keys(before))
    expect(pathsOf(given[name], name).sort()).toEqual(pathsOf(before[name], name).sort())
})

/** Results of all texts in an object; functions get `markers`, lists of one element that also work as strings. */
function saidBy(value: unknown, markers: string[][], path: string): [path: string, said: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function')
    return saidBy((value as (...given: string[][]) => unknown)(...markers), markers, path)
  return Object.entries(value as object).flatMap(([name, each]) => saidBy(each, markers, `${path}.${name}`))
}

test.each(Object.keys(translations))('%s names whatever the English file names', async (path) => {
  await speak('en')
  const markers = ['first', 'second', 'third'].map((name) => [`<${name}>`])
  const namedBy = (texts: unknown) =>
    saidBy(texts, markers, '').map(([at, said]) => [at, markers.flat().filter((marker) => said.includes(marker))])
  expect(Object.fromEntries(namedBy(translations[path]))).toEqual(Object.fromEntries(namedBy(englishOf(path))))
})

test.each(others)('a sentence stands for every refusal of the server, %s', (each) => {
  const { errorSentences } = errorTexts[`../../src/i18n/errors.${each}.ts`] ?? { errorSentences: {} }
  const missing = Object.keys(errors).filter((code) => !errorSentences[code])
  expect(missing).toEqual([])
})

test('a refusal of the client itself is said in the language, by its code', async () => {
  const refusal = new CallError('KEY_OLD')
  expect(messageFor(refusal, '')).toMatch(/^The server sent an older encryption key/)
  await speak('de')
  expect(messageFor(refusal, '')).toMatch(/^Der Server hat einen älteren Schlüssel/)
})

test('the German answers agree with the limits, and do not promise to prevent screenshots', async () => {
  await speak('de')
  const answersTo = (text: string) => searchFaq(faqTexts.entries, text).map(({ answer }) => answer)
  const hours = limits.retention / 3_600_000
  expect(answersTo('je Datei')[0]).toContain(`Bis zu ${limits.fileBytes / 1024 / 1024} MB je Datei`)
  expect(answersTo('Datei herunterladen')[0]).toContain(`bis zu ${limits.downloadsPerAuthorization} Downloads`)
  expect(answersTo('Nachrichten aufbewahrt')[0]).toContain(`Höchstens ${hours} Stunden`)
  expect(answersTo('Konto gesperrt')[0]).toContain(
    `${limits.failedSignIns} fehlgeschlagenen Anmeldungen ist ein Konto für ${limits.lockTime / 60_000} Minuten gesperrt`,
  )
  expect(answersTo('ich offline bin')[0]).toContain(`höchstens ${hours} Stunden`)
  expect(answersTo('Bildschirmaufnahmen verhindern')[0]).toMatch(/^Nein\. Sie werden erschwert\./)
})

test('the digits of a code are spelt in the language', async () => {
  await speak('de')
  expect(spellCode('KTR-MVX-482')).toBe('Kilo Tango Romeo, Mike Victor X\u2011ray, vier acht zwei')
})

test('a browser that the server names is named in the language', async () => {
  const named = () => ['Firefox on Linux', 'Unknown device', 'Android'].map(deviceName)
  expect(named()).toEqual(['Firefox on Linux', 'Unknown device', 'Android'])
  await speak('de')
  expect(named()).toEqual(['Firefox unter Linux', 'Unbekanntes Gerät', 'Android'])
})

test('the form for signing up says where an invitation leads, as which role, and for how long', async () => {
  const lead = (expiresAt: number | null) =>
    authTexts.invitation.lead({ organization: 'Chambers', role: 'org_admin', expiresAt })
  const noon = new Date(2026, 10, 28, 12).getTime()
  expect(lead(noon)).toContain(
    'You have been invited to Chambers as Admin. The invitation is valid until November 28, 2026.',
  )
  expect(lead(null)).toContain('You have been invited to Chambers as Admin. Your keys')
  await speak('de')
  expect(lead(noon)).toContain(
    'Sie wurden als Administrator zu „Chambers“ eingeladen. Die Einladung gilt bis 28. November 2026.',
  )
})
