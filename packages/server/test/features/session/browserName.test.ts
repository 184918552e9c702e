import { expect, test } from 'vitest'
import { describeBrowser } from '../../../src/features/session/browserName.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'
const android = 'Mozilla/5.0 (Linux; Android 15; K)'

test.each([
  ['Chrome on Linux', `${linux} ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `${linux} ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `${linux} ${webkit} Chromium/140.0.0.0 Safari/537.36`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ['Chrome on iOS', `${iphone} ${apple} CriOS/140.0 Mobile/15E148 Safari/604.1`],
  ['Edge on Windows', `${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
  ['Edge on iOS', `${iphone} ${apple} Version/18.0 EdgiOS/140.0 Mobile/15E148 Safari/604.1`],
  ['Opera on Windows', `${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0`],
  ['Samsung Internet on Android', `${android} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox on iOS', `${iphone} ${apple} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on macOS', `${mac} ${apple} Version/18.5 Safari/605.1.15`],
  ['Safari on iOS', `${iphone} ${apple} Version/18.5 Mobile/15E148 Safari/604.1`],
  // Other WebKit browsers, and an unknown variant of Chromium.
  ['Linux', `${linux} ${apple} Version/18.0 Safari/605.1.15`],
  ['Linux', `${linux} ${webkit} NewChromium/1.0 Safari/537.36`],
  ['iOS', `${iphone} ${apple} Mobile/15E148`],
  ['Unknown device', 'curl/8.5.0'],
  ['Unknown device', ''],
  ['Unknown device', undefined],
])('a browser is called %s', (name, userAgent) => {
  expect(describeBrowser(userAgent)).toBe(name)
})

test('a name that goes on and on costs no time', () => {
  const before = process.threadCpuUsage()
  expect(describeBrowser('Mac OS X Version/1.1 Mobile/1 '.repeat(2_000))).toBe('macOS')
  // Processor time of this thread, which is independent of other load.
  expect(process.threadCpuUsage(before).user).toBeLessThan(200_000)
})
