import { expect, test } from 'vitest'
import { readScanned } from '../../../src/features/connections/code/scan/scannedCode.ts'

const origin = 'https://privity.example'
const fingerprint = 'abcdefghijklmnopqrst_-'
const end = `/#connect=KTR-MVX-482.${fingerprint}`

test.each(['KTR-MVX-482', 'ktrmvx482', ' KTR MVX 482\n'])('the code %j is taken as if typed', (text) => {
  expect(readScanned(text, origin)).toEqual({ code: 'KTR-MVX-482' })
})

test('a link of this origin gives its code and fingerprint', () => {
  expect(readScanned(origin + end, origin)).toEqual({ code: 'KTR-MVX-482', fingerprint })
})

test.each([
  `https://privity.example.evil.example${end}`,
  `https://privity.example@evil.example${end}`,
  `http://privity.example${end}`,
  `https://privity.example:444${end}`,
  `https://xn--prvity-q9a.example${end}`,
])('the link %s belongs to another server', (text) => {
  expect(readScanned(text, origin)).toBe('foreign')
})

test.each([
  '',
  'https://example.org/',
  `${origin}/`,
  `${origin}/login${end}`,
  `${origin}${end}x`,
  `${origin}/#connect=KTR-MVX-482`,
  `${origin}/#connect=KTR-MVX-482.short`,
  `${origin}/#connect=KTI-MVX-482.${fingerprint}`,
  `https://helen@privity.example${end}`,
  `javascript:alert(1)//${end}`,
  `data:text/html,${end}`,
  `KTR-MVX-482 ${'-'.repeat(64)}`,
  'KTR-MVX-482 and more',
  'KTI-MVX-482',
  'WIFI:S:guest;P:secret;;',
  'x'.repeat(4_000),
])('%j is refused', (text) => {
  expect(readScanned(text, origin)).toBe('other')
})
