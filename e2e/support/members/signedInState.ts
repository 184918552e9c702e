import { KeyObject, type webcrypto } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createNodeConnection, type Device } from '@privity/client'
import { seeDashboard } from './account.ts'

/** The state of a signed-in browser: its cookies, and the account key. */
export interface SignedIn {
  cookies: { name: string; value: string }[]
  userId: string
  accountKey: number[]
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

/** Reads the bytes of the account key, which Node can, but no script of a page. */
export async function readSignedIn(device: Device, cookies: SignedIn['cookies']): Promise<SignedIn> {
  const { userId, accountKey } = (await device.get('keys')) as { userId: string; accountKey: webcrypto.CryptoKey }
  return { cookies, userId, accountKey: [...KeyObject.from(accountKey).export()] }
}

/** Signs this person in in this browser, without the form and its seconds of key derivation. */
export async function takeOver(page: Page, origin: string, { cookies, userId, accountKey }: SignedIn): Promise<void> {
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: origin, httpOnly: true })))
  // A page of this origin that starts no application, with an icon so that none is requested.
  const empty = `${origin}/empty`
  await page.route(empty, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  )
  await page.goto(empty)
  await page.unroute(empty)
  await page.evaluate(
    async ([user, bytes]) => {
      const key = await crypto.subtle.importKey('raw', new Uint8Array(bytes), 'HKDF', false, [
        'deriveBits',
        'deriveKey',
      ])
      const opening = indexedDB.open('privity', 1)
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('values'))
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const writing = opening.result.transaction('values', 'readwrite')
      writing.objectStore('values').put({ userId: user, accountKey: key }, 'keys')
      await new Promise((resolve) => writing.addEventListener('complete', resolve))
      opening.result.close()
      localStorage.setItem('privity.member', '')
    },
    [userId, accountKey] as const,
  )
  await page.goto('/')
  await seeDashboard(page)
}
