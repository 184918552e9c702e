import { expect, test } from 'vitest'
import { CallError } from '@privity/client'
import { errors } from '@privity/contract/errors'
import { checkProfile, refusedProfile } from '../../../src/features/account/profileRules.ts'
import { accountTexts } from '../../../src/features/account/texts.ts'

const good = { firstName: 'Amara', lastName: 'Osei', email: 'Amara@Example.com' }
const texts = accountTexts.profile.errors

test('each field has its own sentence, and what is right has none', () => {
  expect(checkProfile(good)).toEqual({})
  expect(checkProfile({ firstName: ' ', lastName: 'x'.repeat(65), email: 'amara@' })).toEqual({
    firstName: texts.firstName,
    lastName: texts.lastName,
    email: texts.email,
  })
  expect(checkProfile({ ...good, email: '' })).toEqual({ email: texts.email })
})

test('a name with marks that turn the direction of text says that it has them', () => {
  expect(texts.marks).toContain('text direction')
  expect(checkProfile({ ...good, firstName: 'Ama\u202era', lastName: '\u2067' })).toEqual({
    firstName: texts.marks,
    lastName: texts.marks,
  })
})

test('a refusal of the server is said at its field, and any other at none', () => {
  const taken = new CallError('EMAIL_TAKEN', { status: 409, sentence: errors.EMAIL_TAKEN.message })
  expect(refusedProfile(taken, good)).toEqual({ email: 'That email address is already in use.' })
  const invalid = new CallError('INVALID_INPUT', { status: 400 })
  expect(refusedProfile(invalid, { ...good, lastName: '' })).toEqual({ lastName: texts.lastName })
  expect(refusedProfile(new CallError('OFFLINE'), good)).toEqual({})
})
