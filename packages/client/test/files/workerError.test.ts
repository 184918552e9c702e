import { expect, test } from 'vitest'
import { E2eeError } from '@privity/e2ee'
import { fromWorkerError, toWorkerError } from '../../src/files/workerError.ts'
import { CallError } from '../../src/index.ts'

const across = (error: unknown) => fromWorkerError(structuredClone(toWorkerError(error)))

test('an error keeps its kind, code and sentence on its way out of a Worker', () => {
  const call = new CallError('DOWNLOAD_NOT_AUTHORIZED', { status: 403, retryAfter: 7 })
  expect(across(call)).toBeInstanceOf(CallError)
  expect(across(call)).toMatchObject({
    code: 'DOWNLOAD_NOT_AUTHORIZED',
    status: 403,
    retryAfter: 7,
    sentence: call.sentence,
  })
  expect(across(new E2eeError('TRUNCATED', 'It ends too early.'))).toMatchObject({
    name: 'E2eeError',
    code: 'TRUNCATED',
    message: 'It ends too early.',
  })
  expect(across(new TypeError('Broken')).message).toBe('Broken')
  expect(across('a thrown text').message).toBe('a thrown text')
})
