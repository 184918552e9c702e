import { expect, test } from 'vitest'

type Texts = Record<string, unknown>
// The founder console exists in English only.
const english: Record<string, Record<string, Texts>> = import.meta.glob(
  ['../../src/**/texts.ts', '!../../src/founder/**'],
  {
    eager: true,
  },
)
const german: Record<string, Record<string, Texts>> = import.meta.glob('../../src/**/texts.de.ts', { eager: true })

/** Words that strengthen a promise, in both languages: German may use one only where English does. */
const strengths: Record<string, [english: RegExp, german: RegExp]> = {
  always: [/\balways\b|\bnever\b|any (time|hour)|either way/i, /(?<!wer auch )\b(immer|stets|jederzeit)\b/i],
  never: [/\bnever\b|\bno longer\b|any ?more/i, /\b(nie|niemals|keinesfalls)\b/i],
  nobody: [/\bnobody\b|\bno one\b|\bno\b|\bonly\b|not .*\banyone\b/i, /\bniemand/i],
  'at once': [/at once|immediately|straight away|right away|the moment/i, /\b(sofort|augenblicklich|unverzüglich)\b/i],
  'end to end': [/end[- ]to[- ]end/i, /ende[- ]zu[- ]ende/i],
  encrypted: [/encrypt|sealed/i, /verschlüssel/i],
  sealed: [/seal|encrypt/i, /versiegel/i],
  destroyed: [/destroy|erase|gone|disappear|removed|delete/i, /vernicht|zerstör/i],
  logged: [/\blogs?\b|logged|recorded/i, /protokoll|aufgezeichnet/i],
  impossible: [/cannot|\bno\b|\bnot\b|never|nobody/i, /unmöglich|ausgeschlossen|kann niemand|niemand kann/i],
  certain: [
    /secure|safe|guarantee|certain|sure|protect|complete/i,
    /\b(sicher|garantiert\w*|absolut\w*|völlig|vollständig|unknackbar|anonym\w*)\b/i,
  ],
  'zero knowledge': [/zero knowledge/i, /zero knowledge|kein wissen/i],
  once: [/\bonce\b|single-use|one use/i, /(?<!(noch|schon) )\beinmal\b/i],
  only: [/\bonly\b|strictly|nothing (else|but)|alone|until|just|except|\bnot\b/i, /\b(nur|ausschließlich|allein)\b/i],
}

/** Results of all texts in an object. Functions are called with lists of one element, which also work as strings. */
function saidBy(value: unknown, path: string): [path: string, said: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function')
    return saidBy((value as (...given: string[][]) => unknown)(['<1>'], ['<2>'], ['<3>']), path)
  return Object.entries(value as object).flatMap(([name, each]) => saidBy(each, `${path}.${name}`))
}

/** Numbers without thousands separators, with hours in the 24-hour format. */
const numbersIn = (text: string) =>
  text
    .replace(/(?<=\d)[.,](?=\d{3})/g, '')
    .replace(/(\d+) PM/g, (_, hour) => String(Number(hour) + 12))
    .match(/\d+/g)
    ?.toSorted() ?? []

/** Names of strengths that the German text has and the English text lacks. */
function stronger(said: string, original: string): string[] {
  return Object.entries(strengths).flatMap(([name, [inEnglish, inGerman]]) =>
    inGerman.test(said) && !inEnglish.test(original) ? [name] : [],
  )
}

test.each(Object.keys(german))('%s promises nothing more strongly than the English file', (path) => {
  const originals = new Map(saidBy(english[path.replace('.de.ts', '.ts')], ''))
  const found = saidBy(german[path], '').flatMap(([at, said]) => {
    const names = stronger(said, originals.get(at) ?? '')
    return names.length > 0 ? [[names.join(), originals.get(at), said]] : []
  })
  expect(found).toEqual([])
})

test.each(Object.keys(german))('%s has the numbers of the English file', (path) => {
  const originals = new Map(saidBy(english[path.replace('.de.ts', '.ts')], ''))
  const found = saidBy(german[path], '').flatMap(([at, said]) => {
    const [given, wanted] = [numbersIn(said), numbersIn(originals.get(at) ?? '')]
    return given.join() === wanted.join() ? [] : [[originals.get(at), said]]
  })
  expect(found).toEqual([])
})

test('a German sentence that promises more is found', () => {
  expect(stronger('Niemand kann das je lesen, garantiert.', 'It is hard to read.')).toEqual([
    'nobody',
    'impossible',
    'certain',
  ])
  expect(stronger('Ende-zu-Ende-verschlüsselt', 'Encrypted')).toEqual(['end to end'])
  expect(numbersIn('1.000 Einträge in 24 Stunden')).toEqual(numbersIn('1,000 entries in 24 hours'))
})
