import { expect, test } from 'vitest'
import { deriveRecovery } from '../../../src/app/recoveryKey/recoveryKey.ts'
import { isWholeKey, recoveryKeyError } from '../../../src/app/recoveryKey/recoveryKeyEntry.ts'
import { recoveryKeyEntryTexts } from '../../../src/app/recoveryKey/texts.ts'

const zeros = Array.from({ length: 13 }, () => '00000')

test('a key is judged once all of it is there, however it is spaced', () => {
  expect(isWholeKey(zeros.join('-'))).toBe(true)
  expect(isWholeKey(zeros.join(' '))).toBe(true)
  expect(isWholeKey(zeros.slice(1).join('-'))).toBe(false)
})

test('names the first wrong group', async () => {
  const refused = await deriveRecovery(zeros.join('-')).catch((error: unknown) => error)
  expect(recoveryKeyError(refused)).toBe(recoveryKeyEntryTexts.groupWrong(1))
})

test('passes the words on where no group can be named', async () => {
  const refused = await deriveRecovery('00000').catch((error: unknown) => error)
  expect(recoveryKeyError(refused)).toContain('65 characters')
})

test('leaves a refusal by the server to others', () => {
  const refused = Object.assign(new Error('401: no'), { status: 401, code: 'RECOVERY_REFUSED', sentence: 'no' })
  expect(recoveryKeyError(refused)).toBeUndefined()
})
