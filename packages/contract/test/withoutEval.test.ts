import '../src/withoutEval.ts'
import { expect, test } from 'vitest'
import { config } from 'zod'

test('zod reads what is set before it is loaded, so that schemas are made without eval', () => {
  expect(config().jitless).toBe(true)
})
