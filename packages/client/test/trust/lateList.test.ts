import { expect, test } from 'vitest'
import { markVerified } from '../support/keyRotation.ts'
import { collect, connected, createStage } from '../support/stage.ts'

test('a list whose answer comes late brings no older one back unnoticed', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const other = stage.tab(anna)
  await other.client.account.start()
  await connected(other)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  anna.network.watches = async (request) => {
    if (request !== 'PUT /api/keys/pins') return
    ask()
    await released
  }
  const paused = anna.client.trust.pause(connectionId)
  await asked
  const { body } = anna.network.requests.findLast(({ request }) => request === 'PUT /api/keys/pins') ?? {}
  const { version, sealed } = JSON.parse(String(body)) as { version: number; sealed: string }
  // The server keeps the news from this tab, and shows it the older list.
  anna.network.swallows = true
  const shown = (request: string, answer: unknown) => (request === 'GET /api/keys/pins' ? { version, sealed } : answer)
  anna.network.tampers = shown
  await markVerified(other, connectionId)
  release()
  await paused
  anna.client.close()
  other.client.close()
  const page = stage.tab(anna)
  page.network.tampers = (request, answer) => {
    if (request === 'GET /api/keys') return { ...(answer as object), pins: { version, sealed } }
    return shown(request, answer)
  }
  const alarms = collect(page, 'alarm')
  await page.client.account.start()
  await connected(page)
  expect(alarms).toMatchObject([{ code: 'ACCEPTED_OLDER' }])
  expect((await page.client.trust.state(connectionId)).state).toBe('verified')
})
