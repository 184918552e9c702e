import { expect, test } from 'vitest'
import { type CsvValue, csvLine } from '../../../src/core/http/csv.ts'

/** A parser of RFC 4180, written from its grammar. */
function read(text: string): string[][] {
  const records: string[][] = []
  let at = 0
  while (at < text.length) {
    const record: string[] = []
    for (;;) {
      let value = ''
      if (text[at] === '"') {
        at += 1
        while (text[at] !== '"' || text[at + 1] === '"') {
          if (at >= text.length) throw new Error('a quote without its end')
          if (text[at] === '"') at += 1
          value += text[at]
          at += 1
        }
        at += 1
      } else {
        while (at < text.length && !/[",\r\n]/.test(text[at] as string)) value += text[at++]
      }
      record.push(value)
      if (text[at] !== ',') break
      at += 1
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no line end at ${at}`)
    at += 2
    records.push(record)
  }
  return records
}

test('separators, quotes, line ends and blanks come back as they were', () => {
  const rows = [
    ['', 'plain', 'a,b', 'a;b', ';', '; b', 'say "yes"', '"', '""', ',', '\u2028'],
    ['two\nlines', 'two\r\nlines', 'a\rb', ' before', 'after ', 'tab\tin it', 'Zoë ☃ 🗝', "it's"],
  ]
  expect(read(rows.map(csvLine).join(''))).toEqual(rows)
})

test('what is plain stays plain, and nothing is an empty field', () => {
  expect(csvLine(['signed_in', 'a@b.example', 1, -2, true, null, undefined, '2026-11-21T10:00:00.000Z'])).toBe(
    'signed_in,a@b.example,1,-2,true,,,2026-11-21T10:00:00.000Z\r\n',
  )
})

const formulas = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00A0=1',
  '\uFEFF=1',
  '＝1',
  '＋1',
  '－1',
  '＠A1',
  '=HYPERLINK("https://evil.example","x")',
]

test.each(formulas)('no field is a formula: %j', (text) => {
  const [[first, second]] = read(csvLine([text, 'next'])) as [[string, string]]
  expect(first).toMatch(/^'/)
  expect(first.replaceAll("'", '')).toBe(text)
  expect(second).toBe('next')
})

test.each([';', '\t', '\n', '\r\n', '; ', ';\u00A0', ';"', ';""', ';\t'])(
  'no cell is a formula where a spreadsheet begins one by %j',
  (begin) => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
      const text = `Zoë${begin}${sign}HYPERLINK("https://evil.example")`
      const line = csvLine(['x', text, 'next'])
      expect(line).not.toMatch(/[;\t\r\n][\s\uFEFF"]*[=+\-@＝＋－＠]/)
      const [[, back]] = read(line) as [[string, string]]
      expect(back.replaceAll("'", '')).toBe(text)
    }
  },
)

test('a field with a semicolon is quoted, for readers that take it for a separator', () => {
  expect(csvLine(['a;b', 'c'])).toBe('"a;b",c\r\n')
})

test('whatever is written, the fields come back, none of them a formula', () => {
  const alphabet = ['=', '+', '-', '@', '"', ',', '\r', '\n', '\t', ' ', ';', 'a', "'", '＝']
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 2000; round++) {
    const row: CsvValue[] = Array.from({ length: 1 + next(5) }, () =>
      Array.from({ length: next(6) }, () => alphabet[next(alphabet.length)]).join(''),
    )
    const [back] = read(csvLine(row)) as [string[]]
    const plain = (value: CsvValue) => String(value).replaceAll("'", '')
    expect(back.map(plain)).toEqual(row.map(plain))
    for (const value of back) expect(value).not.toMatch(/(?:^|[;\t\r\n])\s*[=+\-@＝＋－＠]|^[\t\r\n]/)
  }
})
