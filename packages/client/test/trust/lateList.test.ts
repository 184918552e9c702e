import { expect, test } from 'vitest'
import { readLastSeen } from '../../src/keys/rollback.ts'
import { accept, markVerified, replaceKeys } from '../support/keyRotation.ts'
import { collect, connected, createStage, type Person, type Stage, type Tab } from '../support/stage.ts'

/** Keeps the answer to the next put of a list from a tab until it is released. */
function holdPut({ network }: Tab) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  network.watches = async (request) => {
    if (request !== 'PUT /api/keys/pins') return
    ask()
    await released
  }
  return { asked, release }
}

test('a list whose answer comes late brings no older one back unnoticed', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const other = stage.tab(anna)
  await other.client.account.start()
  await connected(other)
  const { asked, release } = holdPut(anna)
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

const lastSeen = ({ device, user }: Person) => readLastSeen(device, user.id)

/** Two tabs, of which the server keeps the first on a list of its own: its puts succeed, and are not stored. */
async function forkedTabs(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const other = stage.tab(anna)
  await other.client.account.start()
  await connected(other)
  anna.network.swallows = true
  anna.network.answers = (request) => {
    if (request !== 'PUT /api/keys/pins') return undefined
    return new Response(anna.network.requests.at(-1)?.body, { headers: { 'content-type': 'application/json' } })
  }
  return { anna, ben, connectionId, other }
}

test('a list of the same number as another tab’s does not replace the key accepted there', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, other } = await forkedTabs(stage)
  await replaceKeys(ben)
  await accept(other, connectionId)
  const accepted = await lastSeen(anna)
  await anna.client.trust.pause(connectionId)
  expect((await lastSeen(anna))?.pins).toEqual(accepted?.pins)
})

test('a list of a higher number, without the key accepted in another tab, does not replace it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, other } = await forkedTabs(stage)
  await replaceKeys(ben)
  await accept(other, connectionId)
  const accepted = await lastSeen(anna)
  await anna.client.trust.pause(connectionId)
  await anna.client.trust.resume(connectionId)
  await anna.client.trust.pause(connectionId)
  expect((await lastSeen(anna))?.pins).toEqual(accepted?.pins)
})

test('a put answered after another tab replaced the keys does not bring the former identity back', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const other = stage.tab(anna)
  await other.client.account.start()
  await connected(other)
  const { asked, release } = holdPut(anna)
  const paused = anna.client.trust.pause(connectionId)
  await asked
  await replaceKeys({ ...anna, ...other })
  const replaced = await lastSeen(anna)
  release()
  await paused
  expect((await lastSeen(anna))?.identityKey).toBe(replaced?.identityKey)
})
