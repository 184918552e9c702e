import { expect, it } from 'vitest'
import { defaultPreferences } from '@privity/contract/preferenceDefaults'
import { changesOf } from '../../../src/features/preferences/useDraft.ts'

it('what is chosen as it was saved is no change', () => {
  expect(changesOf(defaultPreferences, { theme: 'system', compactMode: false })).toEqual({})
})

it('only what differs is a change', () => {
  expect(changesOf(defaultPreferences, { theme: 'dark', compactMode: false, fontSize: 'large' })).toEqual({
    theme: 'dark',
    fontSize: 'large',
  })
})

it('what was saved from elsewhere in the meantime is no change any more', () => {
  const saved = { ...defaultPreferences, theme: 'dark' as const }
  expect(changesOf(saved, { theme: 'dark', soundEnabled: false })).toEqual({ soundEnabled: false })
})
