import { expect, test } from 'vitest'
import { defaultPolicy, defaultPreferences } from '@privity/contract/preferenceDefaults'
import { connected, createStage, next } from './support/stage.ts'

test('changed preferences reach the member’s other browsers and nobody else', async () => {
  await using stage = await createStage()
  const { anna, ben } = await stage.pair()
  const elsewhere = await stage.signIn(anna)
  await connected(elsewhere)
  const strange: unknown[] = []
  ben.client.on('preferences_changed', (state) => void strange.push(state))
  const heard = next(elsewhere, 'preferences_changed')
  const preferences = { ...defaultPreferences, theme: 'dark', readReceipts: false }
  const state = { preferences, policy: defaultPolicy }
  expect(await anna.client.preferences.update({ theme: 'dark', readReceipts: false })).toEqual(state)
  expect(await heard).toEqual(state)
  expect(await elsewhere.client.preferences.get()).toEqual(state)
  expect(await ben.client.preferences.get()).toEqual({ preferences: defaultPreferences, policy: defaultPolicy })
  expect(strange).toEqual([])
})

test('data downloads are not switched on like the others', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await expect(anna.client.preferences.update({ dataDownloads: true })).rejects.toMatchObject({
    code: 'PASSWORD_NEEDED',
  })
  const { preferences } = await anna.client.privacy.allowExports(anna.password)
  expect(preferences.dataDownloads).toBe(true)
})
