import { expect, test } from 'vitest'
import { safeFileName } from '../../src/messages/fileName.ts'

test.each(['\u200b', '\u3164', '\u2800', '\u{e0041}', ' '])(
  'a file whose name %j nobody sees is called file',
  (name) => {
    expect(safeFileName(name)).toBe('file')
  },
)

test('a file name has nothing in it that hides, or turns what follows', () => {
  expect(safeFileName('a\u061cb\u202egnp.exe')).toBe('a_b_gnp.exe')
  expect(safeFileName('re\u200bport\u00ad.pdf')).toBe('report.pdf')
  expect(safeFileName('می\u200cخواهم ❤️.txt')).toBe('می\u200cخواهم ❤️.txt')
})
