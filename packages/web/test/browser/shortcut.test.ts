import { expect, test } from 'vitest'
import { isControlShift } from '../../src/browser/shortcut.ts'

const held = { ctrlKey: true, shiftKey: true, altKey: false, metaKey: false }

test.each([
  ['the letter', { key: 'F', code: 'KeyF' }],
  ['the letter where another layout puts it', { key: 'F', code: 'KeyY' }],
  ['its place where the alphabet has no such letter', { key: 'А', code: 'KeyF' }],
])('a shortcut is %s', (_, key) => {
  expect(isControlShift({ ...held, ...key }, 'f')).toBe(true)
})

test.each([
  ['another letter at its place', { key: 'U', code: 'KeyF' }],
  ['without Shift, which is the browser’s own', { key: 'f', code: 'KeyF', shiftKey: false }],
  ['with Alt, which types a character', { key: 'F', code: 'KeyF', altKey: true }],
  ['with Cmd, which is the browser’s own', { key: 'F', code: 'KeyF', metaKey: true }],
])('no shortcut is %s', (_, key) => {
  expect(isControlShift({ ...held, ...key }, 'f')).toBe(false)
})
