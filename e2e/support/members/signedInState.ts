import { KeyObject, type webcrypto } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createNodeConnection, type Device } from '@privity/client'
import { seeDashboard } from './account.ts'

/** The account key as a browser stores it, sealed (client/src/account/keyStore.ts). */
interface StoredEntry<Key> {
  id: string
  userId: string
  sessionId: string
  browserKey: Key
  sealed: string
}

/**
 * The state of a signed-in browser: its cookies, its stored key with the bytes of the browser's own key, the contacts
 * whom it has met, and its keys, encrypted. Without these it would be another browser in the same session.
 */
export interface SignedIn {
  cookies: { name: string; value: string }[]
  entry: StoredEntry<number[]>
  sealed: [name: string, value: unknown][]
}

/** The user agent of the journeys' browsers, which the list of sessions shows. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'

/** A Node connection that sends a browser's user agent and exposes its cookies. */
export function createConnection() {
  const { fetch, openSocket } = createNodeConnection()
  const cookies = new Map<string, string>()
  return {
    openSocket,
    async fetch(...[input, init]: Parameters<typeof globalThis.fetch>) {
      const headers = new Headers(init?.headers)
      headers.set('user-agent', userAgent)
      const answer = await fetch(input, { ...init, headers })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return answer
    },
    cookies: () => [...cookies].map(([name, value]) => ({ name, value })),
  }
}

/** Reads the bytes of the browser's key, which Node can, but no script of a page. */
export async function readSignedIn(device: Device, cookies: SignedIn['cookies']): Promise<SignedIn> {
  const entry = (await device.get('keys')) as StoredEntry<webcrypto.CryptoKey>
  const names = [`seen/${entry.userId}/met`, `browser/${entry.userId}`]
  const sealed = names.map(async (name): Promise<[string, unknown]> => [name, await device.get(name)])
  return {
    cookies,
    entry: { ...entry, browserKey: [...KeyObject.from(entry.browserKey).export()] },
    sealed: await Promise.all(sealed),
  }
}

/** Signs this person in in this browser, without the form and its seconds of key derivation. */
export async function takeOver(page: Page, origin: string, { cookies, entry, sealed }: SignedIn): Promise<void> {
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: origin, httpOnly: true })))
  // A page of this origin that starts no application, with an icon so that none is requested.
  const empty = `${origin}/empty`
  await page.route(empty, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  )
  await page.goto(empty)
  await page.unroute(empty)
  await page.evaluate(
    async ([stored, values]) => {
      const bytes = new Uint8Array(stored.browserKey)
      const browserKey = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits', 'deriveKey'])
      const opening = indexedDB.open('privity', 1)
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('values'))
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const writing = opening.result.transaction('values', 'readwrite')
      writing.objectStore('values').put({ ...stored, browserKey }, 'keys')
      for (const [name, value] of values) writing.objectStore('values').put(value, name)
      await new Promise((resolve) => writing.addEventListener('complete', resolve))
      opening.result.close()
      localStorage.setItem('privity.member', '')
    },
    [entry, sealed] as const,
  )
  await page.goto('/')
  await seeDashboard(page)
}
