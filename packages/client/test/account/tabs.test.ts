import { expect, test } from 'vitest'
import { createStage, reaches } from '../support/stage.ts'

test('a tab that is opening does not start anew where another one opens meanwhile', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const [tab, other] = [stage.tab(anna), stage.tab(anna)]
  tab.network.watches = async (request) => {
    if (request === 'GET /api/keys') await other.client.account.start()
  }
  await tab.client.account.start()
  expect(other.client.account.state.get().status).toBe('open')
  expect(tab.client.account.state.get().status).toBe('open')
  expect(tab.network.requests.filter(({ request }) => request === 'GET /api/user')).toHaveLength(1)
})

test('a tab that cannot ask who has signed in closes the account before, and keeps the keys', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const other = stage.tab(anna)
  anna.network.offline = true
  await other.client.account.signIn(ben)
  await reaches(anna.client.account.state, ({ status }) => status === 'signedOut')
  const reloaded = stage.tab(other)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get()).toMatchObject({ status: 'open', user: { id: ben.user.id } })
})
