import { expect, test } from 'vitest'
import { isGroupOf } from '../../../src/features/recoveryKey/askedGroup.ts'

const key = ['AAAAA', 'BBBBB', 'C0D1E', 'FFFFF'].join('-')

test.each(['C0D1E', ' c0d1e ', 'CODLE', 'c-0-d-i-e', key, key.toLowerCase().replaceAll('-', ' ')])(
  'accepts %s as the third group',
  (typed) => {
    expect(isGroupOf(key, 3, typed)).toBe(true)
  },
)

test.each(['', 'BBBBB', 'C0D1', 'C0D1E-FFFFF'])('refuses "%s" as the third group', (typed) => {
  expect(isGroupOf(key, 3, typed)).toBe(false)
})
