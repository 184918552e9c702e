import { expect, test } from 'vitest'
import { browserIdOf, browserListed } from '../support/browsers.ts'
import { replaceKeys } from '../support/keyRotation.ts'
import { collect, connected, createStage, next, type Tab } from '../support/stage.ts'

/** Holds back the next answer to this request until released. */
function hold(tab: Tab, name: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  let isUsed = false
  tab.network.watches = async (request) => {
    if (request !== name || isUsed) return
    isUsed = true
    arrive()
    await released
  }
  return { release, arrived }
}

test('a list that was loaded while a browser was removed raises no alarm', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const other = await stage.signIn(anna)
  await browserListed(other)
  const id = await browserIdOf(other, anna)
  const alarms = collect(anna, 'alarm')
  const { release, arrived } = hold(anna, 'GET /api/browsers')
  const list = anna.client.browsers.list()
  await arrived
  await anna.client.browsers.remove(id)
  await anna.client.browsers.setOnlyApproved(true)
  release()
  expect((await list).browsers).toHaveLength(1)
  expect(alarms).toEqual([])
})

test('keys that were loaded while another tab switched the mode raise no alarm', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const second = stage.tab(anna)
  await second.client.account.start()
  const alarms = collect(second, 'alarm')
  const { release, arrived } = hold(second, 'GET /api/keys')
  second.network.inject(JSON.stringify({ type: 'browsers_changed' }))
  await arrived
  await anna.client.browsers.setOnlyApproved(true)
  const loaded = next(second, 'browsers_changed')
  release()
  await loaded
  expect(await second.client.isOnlyApproved()).toBe(true)
  expect(alarms).toEqual([])
})

test('keys that were loaded while another tab replaced them raise no alarm', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const second = stage.tab(anna)
  await second.client.account.start()
  await connected(second)
  const alarms = collect(second, 'alarm')
  const { release, arrived } = hold(second, 'GET /api/keys')
  second.network.inject(JSON.stringify({ type: 'browsers_changed' }))
  await arrived
  await replaceKeys(anna)
  await expect.poll(() => second.client.account.state.get().status).toBe('open')
  release()
  await connected(second)
  expect(alarms).toEqual([])
})
