import { expect, test } from 'vitest'
import { encryptPush, isPoint } from '../../../src/features/push/encryption.ts'
import { decryptPush } from '../../support/services/pushService.ts'
import { makeSubscription } from '../../support/scenes/pushes.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

/** RFC 8291, appendix A. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl' +
    '7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

test('gives the body of appendix A of RFC 8291', () => {
  const { text, privateKey, salt, body } = example
  expect(encryptPush(text, example, text.length, { privateKey, salt }).toString('base64url')).toBe(body)
})

test('only the browser of the subscription reads it', () => {
  const [browser, other] = [makeSubscription(), makeSubscription()]
  const body = encryptPush('text', browser.subscription, 100)
  expect(decryptPush(body, browser)).toBe('text')
  expect(() => decryptPush(body, other)).toThrow()
})

test('every text has the same size, and no two bodies are alike', () => {
  const { subscription } = makeSubscription()
  const bodies = ['', 'a', 'a', 'ä'.repeat(50)].map((text) => encryptPush(text, subscription, 100))
  expect(new Set(bodies.map(({ length }) => length)).size).toBe(1)
  expect(new Set(bodies.map((body) => body.toString('hex'))).size).toBe(4)
})

test('a text longer than its padding is refused', () => {
  const { subscription } = makeSubscription()
  expect(() => encryptPush('ab', subscription, 1)).toThrow('longer')
  expect(() => encryptPush('', subscription, 4096)).toThrow('longer')
})

test.each([
  ['a point of the curve', example.p256dh, true],
  ['a compressed point', bytes(example.p256dh).subarray(0, 33).fill(2, 0, 1).toString('base64url'), false],
  ['no point', Buffer.alloc(65, 4).toString('base64url'), false],
  ['nothing', '', false],
])('%s is a key: %s %s', (_, key, isOne) => {
  expect(isPoint(key)).toBe(isOne)
})
