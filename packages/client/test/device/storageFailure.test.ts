import { expect, test } from 'vitest'
import type { Device } from '../../src/index.ts'
import { createStage } from '../support/stage.ts'

const full = () => Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))
const closed = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))

test.each<[string, Partial<Device>]>([
  ['is full', { set: full }],
  ['is closed', { get: closed, set: closed, remove: closed, names: closed }],
])('where the storage of the browser %s, signing in says so, and goes well once it is open', async (_how, failing) => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab()
  const working = { ...tab.device }
  Object.assign(tab.device, failing)
  await expect(tab.client.account.signIn(anna)).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    sentence: expect.stringContaining('does not store the data'),
  })
  expect(tab.client.account.state.get().status).not.toBe('open')
  Object.assign(tab.device, working)
  await tab.client.account.signIn(anna)
  expect(tab.client.account.state.get().status).toBe('open')
})
