import { afterEach, expect, test, vi } from 'vitest'
import { createStage, reaches, reconnected } from '../support/stage.ts'

const patience = { timeout: 20_000 }

afterEach(() => vi.unstubAllGlobals())

/** A page as browsers have it, as far as the client looks at it. */
function openPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', page)
  return (visibilityState: 'visible' | 'hidden') => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event('visibilitychange'))
  }
}

test('the server hears when the page is visible, when it is hidden, and after each reconnection', async () => {
  await using stage = await createStage()
  const show = openPage()
  const { anna } = await stage.pair()
  const isWatching = () => stage.server.core.sockets.isWatching(anna.user.id, 0)
  await vi.waitUntil(isWatching, patience)
  show('hidden')
  await vi.waitUntil(() => !isWatching(), patience)
  show('visible')
  await vi.waitUntil(isWatching, patience)
  await stage.server.restart()
  await reaches(anna.client.live, (state) => state === 'disconnected')
  await reconnected(stage, anna)
  await vi.waitUntil(isWatching, patience)
})

test('a client without a page is not visible', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  expect(anna.client.live.get()).toBe('connected')
  expect(stage.server.core.sockets.isWatching(anna.user.id, 0)).toBe(false)
})
