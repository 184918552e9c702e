import { expect, test } from 'vitest'
import { connectionLink, isConnectionLink, readConnectionLink } from '../src/connections/connectionLink.ts'

const link = { code: 'KTR-MVX-482', fingerprint: 'AbCdEfGhIjKlMnOpQrSt-_' }

test('a link is read as it was written, and holds everything behind its #', () => {
  const address = new URL(connectionLink('https://privity.example', link))
  expect(readConnectionLink(address.hash)).toEqual(link)
  expect(`${address.origin}${address.pathname}${address.search}`).toBe('https://privity.example/')
})

test('a code may be written as it may be typed', () => {
  expect(readConnectionLink(`#connect=ktrmvx482.${link.fingerprint}`)).toEqual(link)
})

test.each([
  '',
  '#',
  '#connect=',
  '#connect=KTR-MVX-482',
  '#connect=KTR-MVX-482.short',
  `#connect=KTR-MVX-482.${'a'.repeat(23)}`,
  `#connect=KTR-MVX-10O.${link.fingerprint}`,
  `#connect=KTR-MVX-482.${link.fingerprint}.more`,
  `#invitation=KTR-MVX-482.${link.fingerprint}`,
])('%s is no link with a code and a fingerprint', (hash) => {
  expect(readConnectionLink(hash)).toBeUndefined()
})

test('a damaged link still counts as one, so that it leaves the address', () => {
  expect(isConnectionLink('#connect=KTR-MVX-482')).toBe(true)
  expect(isConnectionLink('#invitation=KTR')).toBe(false)
})
