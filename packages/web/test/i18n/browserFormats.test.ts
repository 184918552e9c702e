import { expect, test } from 'vitest'
import { browserFormats } from '../../src/i18n/dateTime.ts'

const german = { dateFormat: 'DD/MM/YYYY', timeFormat: '24h' }
const american = { dateFormat: 'MM/DD/YYYY', timeFormat: '12h' }

const at = (timeZone: string) => ({ ...Intl.DateTimeFormat().resolvedOptions(), timeZone })

test('a sign-up in German begins with DD/MM/YYYY and 24h, whatever the browser’s locale', () => {
  expect(browserFormats('de', 'en-US', at('America/New_York'))).toEqual(german)
})

test('a German browser that signs up in English begins with its own formats', () => {
  expect(browserFormats('en', 'de-AT', at('Europe/Vienna'))).toEqual(german)
})

test('an American browser begins with the specification’s MM/DD/YYYY and 12h', () => {
  expect(browserFormats('en', 'en-US', at('America/Chicago'))).toEqual(american)
})

test('an American English browser in Europe begins with DD/MM/YYYY and 24h', () => {
  expect(browserFormats('en', 'en-US', at('Europe/Berlin'))).toEqual(german)
})

test('other browsers begin as Intl says: Swedish by year, Australian by day with 12h', () => {
  expect(browserFormats('en', 'sv-SE', at('Europe/Stockholm'))).toEqual({ dateFormat: 'YYYY-MM-DD', timeFormat: '24h' })
  expect(browserFormats('en', 'en-AU', at('Australia/Sydney'))).toEqual({
    dateFormat: 'DD/MM/YYYY',
    timeFormat: '12h',
  })
})
