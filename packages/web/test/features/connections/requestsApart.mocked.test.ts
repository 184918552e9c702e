import { errors } from '@privity/contract/errors'
import type { limits as Limits } from '@privity/contract/limits'
import { expect, test, vi } from 'vitest'
import { directoryTexts as german } from '../../../src/features/connections/directory/texts.de.ts'
import { directoryTexts } from '../../../src/features/connections/directory/texts.ts'
import { errorSentences } from '../../../src/i18n/errors.de.ts'

vi.mock('@privity/contract/limits', async (original) => {
  const { limits } = await original<{ limits: typeof Limits }>()
  return { limits: { ...limits, connectionRequestsApart: 5 * 60 * 60 * 1000 } }
})

test.each([
  ['the hint after withdrawing, en', directoryTexts.withdrawnHint('Helen'), '5 hours'],
  ['the hint after withdrawing, de', german.withdrawnHint('Helen'), '5 Stunden'],
  ['the refusal, en', errors.CONNECTION_REQUEST_REPEATED.message, '5 hours'],
  ['the refusal, de', errorSentences.CONNECTION_REQUEST_REPEATED, '5 Stunden'],
])('the time before asking a colleague again is computed from the limit: %s', (_text, shown, time) => {
  expect(shown).toContain(time)
})
