import { expect, test } from 'vitest'
import { speak, startLanguage } from '../../../src/i18n/language.ts'
import { refusedFields } from '../../../src/features/auth/signUp/signUpResolver.ts'
import { checkNames } from '../../../src/features/auth/signUp/signUpRules.ts'
import { authTexts } from '../../../src/features/auth/texts.ts'

const good = { firstName: 'Amara', lastName: 'Osei', email: 'amara@example.com', username: 'Amara.Osei', password: '' }

const refusal = (code: string, details?: unknown) =>
  Object.assign(new Error(`409: ${code}`), { status: 409, code, sentence: `sentence of ${code}`, details })

test('accepts what the contract accepts', () => {
  expect(checkNames(good)).toEqual({})
})

test('gives each field its own sentence', () => {
  const { firstName, lastName, email, username } = authTexts.errors
  expect(checkNames({ ...good, firstName: ' ', lastName: 'x'.repeat(65), email: 'amara@', username: 'a b' })).toEqual({
    firstName,
    lastName,
    email,
    username,
  })
})

test('says why a name with marks that turn the direction of text is refused, in both languages', async () => {
  const given = { ...good, firstName: 'Ama\u202era', lastName: 'O\u2066sei' }
  const { marks } = authTexts.errors
  expect(marks).toContain('text direction')
  expect(checkNames(given)).toEqual({ firstName: marks, lastName: marks })
  await startLanguage(() => import('../../../src/i18n/translations.ts'))
  await speak('de')
  expect(checkNames(given)).toEqual({ firstName: authTexts.errors.marks, lastName: authTexts.errors.marks })
  expect(authTexts.errors.marks).toContain('Schreibrichtung')
  await speak('en')
})

test('puts the server’s refusals at the field they are about', () => {
  expect(refusedFields(refusal('USERNAME_TAKEN'))).toEqual({ username: 'sentence of USERNAME_TAKEN' })
  expect(refusedFields(refusal('EMAIL_TAKEN'))).toEqual({ email: 'sentence of EMAIL_TAKEN' })
  const domain = refusedFields(refusal('EMAIL_DOMAIN_REFUSED'))
  expect(domain).toEqual({ email: 'sentence of EMAIL_DOMAIN_REFUSED' })
  expect(refusedFields(refusal('RATE_LIMITED'))).toEqual({})
  expect(refusedFields(new Error('offline'))).toEqual({})
})

test('reads which fields an invalid input was about', () => {
  const details = [{ path: ['body', 'email'], message: 'Invalid' }]
  expect(refusedFields(refusal('INVALID_INPUT', details))).toEqual({ email: authTexts.errors.email })
})
