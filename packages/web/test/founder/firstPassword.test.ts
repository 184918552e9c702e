import { expect, test, vi } from 'vitest'
import { firstPasswordFaults } from '../../src/founder/features/session/FirstPasswordForm.tsx'
import { sessionTexts } from '../../src/founder/features/session/texts.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { origin: 'https://privity.example' } }))

const texts = sessionTexts.first
const good = { current: 'of the first start', next: 'a password of my own', again: 'a password of my own' }

test('a new password that is long enough, another one and typed twice has no fault', () => {
  expect(firstPasswordFaults(good)).toEqual({})
})

test.each([
  ['nine characters', { next: '123456789', again: '123456789' }, { next: texts.rule }],
  ['nine characters outside the basic plane', { next: '🔑'.repeat(9), again: '🔑'.repeat(9) }, { next: texts.rule }],
  ['that of the first start', { next: good.current, again: good.current }, { next: texts.same }],
  ['another one the second time', { again: 'a password of my owm' }, { again: texts.differs }],
  ['no current password', { current: '' }, { current: sessionTexts.passwordMissing }],
])('%s is refused at its field', (_what, typed, faults) => {
  expect(firstPasswordFaults({ ...good, ...typed })).toEqual(faults)
})
