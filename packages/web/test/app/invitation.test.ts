import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

const kept = new Map<string, string>()
const replaceState = vi.fn<(state: unknown, unused: string, address: URL) => void>()

/** Opens an address in a tab, like a first visit or a reload. */
async function open(href: string) {
  vi.resetModules()
  replaceState.mockClear()
  vi.stubGlobal('location', { href })
  vi.stubGlobal('history', { state: null, replaceState })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  const { invitation, takeInvitation } = await import('../../src/app/invitation/invitation.ts')
  takeInvitation()
  return invitation
}

test('the token leaves the address at once, outlives a reload, and goes by use or dismissal', async () => {
  const first = await open('https://privity.test/auth?invitation=the-token&language=de')
  expect(first.get()).toBe('the-token')
  expect(replaceState.mock.calls.map(([, , address]) => String(address))).toEqual([
    'https://privity.test/auth?language=de',
  ])
  const reloaded = await open('https://privity.test/auth?language=de')
  expect(reloaded.get()).toBe('the-token')
  expect(replaceState).not.toHaveBeenCalled()
  expect((await open('https://privity.test/auth?invitation=')).get()).toBe('the-token')
  expect((await open('https://privity.test/auth?language=de#invitation=behind')).get()).toBe('behind')
  expect(replaceState.mock.calls.map(([, , address]) => String(address))).toEqual([
    'https://privity.test/auth?language=de',
  ])
  expect((await open('https://privity.test/auth#sign-up')).get()).toBe('behind')
  expect(replaceState).not.toHaveBeenCalled()
  expect((await open('https://privity.test/auth?invitation=another')).get()).toBe('another')
  reloaded.set(undefined)
  expect((await open('https://privity.test/auth')).get()).toBeUndefined()
})
