import { expect, test } from 'vitest'
import { isStrongEnough, measureStrength, checkNewPassword } from '../../src/app/newPassword/strength.ts'
import { newPasswordTexts } from '../../src/app/texts.ts'

const about = ['Amara', 'Osei', 'amara.osei', 'example.com']

test.each(['password123456', 'qwertyuiop123', 'aaaaaaaaaaaaaaaa', 'Amara.Osei2026', '1234567890'])(
  'refuses %s although it is long enough',
  async (password) => {
    const strength = await measureStrength(password, about)
    expect(strength.longEnough).toBe(true)
    expect(isStrongEnough(strength)).toBe(false)
    expect(await checkNewPassword(password, about)).toBe(newPasswordTexts.errors.weak)
  },
)

test('refuses nine characters however good, and accepts ten', async () => {
  expect(await checkNewPassword('xK7#pQ2!v', about)).toBe(newPasswordTexts.errors.short)
  expect(await checkNewPassword('xK7#pQ2!vZ', about)).toBeUndefined()
})

test('counts characters as a person does', async () => {
  expect((await measureStrength('🦊🦉🐙🦔🐝🦕🐬🦩🐌', [])).longEnough).toBe(false)
  expect((await measureStrength('🦊🦉🐙🦔🐝🦕🐬🦩🐌🐢', [])).longEnough).toBe(true)
})

test('own names make a password weaker', async () => {
  const password = 'okonkwobrightwater'
  const alone = await measureStrength(password, [])
  const withNames = await measureStrength(password, ['Okonkwo', 'Brightwater'])
  expect(withNames.score).toBeLessThan(alone.score)
})

test('a very long password is measured without delay', async () => {
  expect(isStrongEnough(await measureStrength('correct tansy harbour quill '.repeat(400), []))).toBe(true)
})
