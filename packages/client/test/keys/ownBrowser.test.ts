import { createPublicKey, verify } from 'node:crypto'
import { limits } from '@privity/contract/limits'
import { signedBrowserBytes, signedSessionBytes } from '@privity/contract/signedBytes'
import { describe, expect, test } from 'vitest'
import {
  createAccountKey,
  createIdentity,
  fromBase64url,
  importAccountKey,
  importIdentity,
  newId,
  openPrivate,
  randomBytes,
  sealPrivate,
  toBase64url,
} from '@privity/e2ee'
import {
  type BrowserEntry,
  browserSignKey,
  createBrowserEntry,
  sealSeed,
  toBrowserLink,
  verifyBrowserLinks,
} from '@privity/e2ee/browserEntry'
import { readOwnBrowserKeys, writeOwnBrowserKeys } from '@privity/e2ee/ownBrowserKeys'
import { reencryptStorage } from '../../src/account/newKeys/reencrypt.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice, type Device } from '../../src/index.ts'
import { browserBinding, formerKeyBinding } from '../../src/keys/aad.ts'
import { openOwnBrowser, type OwnBrowser } from '../../src/keys/browsers/ownBrowser.ts'
import { isEntryOld, readBrowser, type StoredBrowser } from '../../src/keys/browsers/storedBrowser.ts'
import { browserName } from '../../src/device/storageNames.ts'

const now = Date.UTC(2030, 0, 31, 12)
const userId = newId(now)
const clock = { now: () => now, after: () => () => {} }
const accountKey = await importAccountKey(createAccountKey())
const identity = await importIdentity((await createIdentity()).seed)
const seed = randomBytes(32)

async function openTab(device: Device, ended?: string, key = accountKey) {
  return openOwnBrowser({ device, tabs: createTabs(device, () => {}), clock }, { userId, accountKey: key }, ended)
}

/** A browser whose first entry is listed. */
async function listed(device = createMemoryDevice()) {
  const browser = await openTab(device)
  const { entry } = await browser.createNextEntry(identity, undefined)
  expect(await browser.settle(identity.publicKey, entry)).toBe('current')
  return { device, browser, entry }
}

async function copyOf(device: Device): Promise<Device> {
  const copied = createMemoryDevice()
  await copied.set(browserName(userId), await device.get(browserName(userId)))
  return copied
}

async function readKeys(device: Device) {
  const stored = (await device.get(browserName(userId))) as StoredBrowser
  return readOwnBrowserKeys(await openPrivate(accountKey, browserBinding(userId, stored.browserId), stored.sealed))
}

/** Creates the next entry, and takes it into use. */
async function renew(browser: OwnBrowser, before: BrowserEntry): Promise<BrowserEntry> {
  const { entry } = await browser.createNextEntry(identity, before)
  expect(await browser.settle(identity.publicKey, entry)).toBe('current')
  return entry
}

const settle = (browser: OwnBrowser, entry: BrowserEntry | undefined) => browser.settle(identity.publicKey, entry)
const sealTo = (entry: BrowserEntry) => sealSeed(entry.kemKey, { userId, n: 5, browserId: entry.browserId }, seed)
const isSessionSignedBy = async (browser: OwnBrowser, entry: BrowserEntry, signKey: string) => {
  const bound = { userId, sessionId: userId, browserId: entry.browserId }
  const signature = Buffer.from(await browser.signSession(userId, entry), 'base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signKey }, format: 'jwk' })
  return verify(null, signedSessionBytes(bound), key, signature)
}

describe('the keys of a browser', () => {
  test('stay on the device, under the account key', async () => {
    const { device, entry } = await listed()
    const again = await openTab(device)
    expect(again.browserId).toBe(entry.browserId)
    expect(await again.openSeed(5, await sealTo(entry))).toEqual(seed)
  })

  test('open what was sealed to the next entry before the response was lost', async () => {
    const { device, browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    const reloaded = await openTab(device)
    expect(await reloaded.openSeed(5, await sealTo(next))).toEqual(seed)
    expect(await settle(reloaded, next)).toBe('current')
    expect(await reloaded.openSeed(5, await sealTo(entry))).toBeUndefined()
  })

  test('stay the same for the next entry until the list shows which entry counts', async () => {
    const { device, browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    expect(await settle(browser, entry)).toBe('current')
    const reloaded = await openTab(device)
    const { entry: again } = await reloaded.createNextEntry(identity, entry)
    expect([again.kemKey, again.signKey]).toEqual([next.kemKey, next.signKey])
  })

  test('are new for the entry after one that is listed', async () => {
    const { browser, entry } = await listed()
    const next = await renew(browser, entry)
    const { entry: after } = await browser.createNextEntry(identity, next)
    expect(after).toMatchObject({ n: 3 })
    expect(after.kemKey).not.toBe(next.kemKey)
  })

  test('of two tabs that open a device for the first time are the same', async () => {
    const device = createMemoryDevice()
    const [one, other] = await Promise.all([openTab(device), openTab(device)])
    expect(one.browserId).toBe(other.browserId)
  })
})

describe('the signing key of a browser', () => {
  test('is another one with each entry, which the key before it has signed', async () => {
    const { browser, entry } = await listed()
    const second = await renew(browser, entry)
    const third = await renew(browser, second)
    const links = [second, third].map((each) => toBrowserLink(identity.publicKey, each))
    await verifyBrowserLinks(entry, entry, links)
    expect(new Set([entry, second, third].map(({ signKey }) => signKey)).size).toBe(3)
  })

  test('of the next entry is on the disk before that is sent, and the former only until it is seen', async () => {
    const { device, browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    const keysOf = async () => {
      const { seeds, next: after } = await readKeys(device)
      const signSeeds = [seeds, after].flatMap((each) => (each ? [each.signSeed] : []))
      return Promise.all(signSeeds.map(browserSignKey))
    }
    expect(await keysOf()).toEqual([entry.signKey, next.signKey])
    await settle(await openTab(device), next)
    expect(await keysOf()).toEqual([next.signKey])
  })

  test('signs a session for the entry in use, and for the next one while that is sent', async () => {
    const { browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    expect(await isSessionSignedBy(browser, entry, entry.signKey)).toBe(true)
    expect(await isSessionSignedBy(browser, next, next.signKey)).toBe(true)
    await settle(browser, next)
    expect(await isSessionSignedBy(browser, next, next.signKey)).toBe(true)
  })

  test('of a copy from before the newest entry signs no next one', async () => {
    const { device, browser, entry } = await listed()
    const copy = await openTab(await copyOf(device))
    const next = await renew(browser, entry)
    const { entry: fork } = await copy.createNextEntry(identity, next)
    const link = toBrowserLink(identity.publicKey, { ...fork, n: 3 })
    await expect(verifyBrowserLinks(next, next, [link])).rejects.toMatchObject({ code: 'BAD_SIGNATURE' })
    expect(await isSessionSignedBy(copy, next, next.signKey)).toBe(false)
  })
})

describe('an entry that the server shows', () => {
  test('with keys that this browser never had is of another copy', async () => {
    const { device, browser, entry } = await listed()
    const copy = await openTab(await copyOf(device))
    const { entry: next } = await copy.createNextEntry(identity, entry)
    expect(await settle(browser, next)).toBe('foreign')
    expect(await settle(copy, next)).toBe('current')
  })

  test('with none of the next keys, or with one of them alone, is of another copy', async () => {
    const { device, browser, entry } = await listed()
    const { entry: listedNext } = await browser.createNextEntry(identity, entry)
    const { seeds, next } = await readKeys(device)
    if (seeds === undefined || next === undefined) throw new Error('There are no seeds.')
    const made = { identity, userId, browserId: entry.browserId, createdAt: now, n: 2, signer: seeds.signSeed }
    for (const copied of [seeds, { ...seeds, kemSeed: next.kemSeed }, { ...seeds, signSeed: next.signSeed }])
      expect(await settle(browser, await createBrowserEntry({ ...made, seeds: copied }))).toBe('foreign')
    expect(await settle(browser, listedNext)).toBe('current')
  })

  test('with a key, number or date that this browser has not signed is of somebody else', async () => {
    const { browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    const signedAnew = async (change: Partial<BrowserEntry>) => {
      const unsigned = { ...entry, ...change }
      const bytes = signedBrowserBytes(identity.publicKey, unsigned, fromBase64url)
      const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', identity.sign as CryptoKey, bytes))
      return { ...unsigned, signature: toBase64url(signature) }
    }
    for (const change of [{ signKey: identity.publicKey }, { createdAt: now + 1 }, { n: 3 }])
      expect(await settle(browser, await signedAnew(change))).toBe('foreign')
    // The next one, as the identity key alone could sign it.
    for (const change of [
      { ...next, createdAt: now + 1 },
      { ...next, signKey: entry.signKey },
    ])
      expect(await settle(browser, await signedAnew(change))).toBe('foreign')
    expect(await settle(browser, next)).toBe('current')
  })

  test('that the identity has not signed is of somebody else', async () => {
    const { browser, entry } = await listed()
    const { entry: next } = await browser.createNextEntry(identity, entry)
    for (const each of [entry, next])
      expect(await settle(browser, { ...each, signature: next.browserSignature })).toBe('foreign')
  })

  test('is an older one after a restored backup, and the links between lead on from it', async () => {
    const { browser, entry } = await listed()
    const second = await renew(browser, entry)
    const third = await renew(browser, second)
    expect(await settle(browser, entry)).toBe('older')
    const { entry: fourth, links = [] } = await browser.createNextEntry(identity, entry)
    expect(links).toEqual([second, third].map((each) => toBrowserLink(identity.publicKey, each)))
    await verifyBrowserLinks(entry, entry, [...links, toBrowserLink(identity.publicKey, fourth)])
    expect(await settle(browser, fourth)).toBe('current')
  })

  test('is forgotten where it is older than the links that this browser keeps', async () => {
    const { device, browser, entry } = await listed()
    const second = await renew(browser, entry)
    const keys = await readKeys(device)
    const sealed = await sealPrivate(
      accountKey,
      browserBinding(userId, entry.browserId),
      writeOwnBrowserKeys({ ...keys, links: keys.links.slice(1) }),
    )
    await device.set(browserName(userId), { browserId: entry.browserId, sealed })
    expect(await settle(browser, entry)).toBe('forgotten')
    expect(await settle(browser, second)).toBe('current')
  })

  test('is none before the first, and forgotten where there was one', async () => {
    const browser = await openTab(createMemoryDevice())
    expect(await settle(browser, undefined)).toBe('unlisted')
    const { browser: other } = await listed()
    expect(await settle(other, undefined)).toBe('forgotten')
  })

  test('is none for an id that was chosen long ago, which the server does not take any more', async () => {
    const device = createMemoryDevice()
    const browser = await openTab(device)
    const later = { ...clock, now: () => now + limits.clockTolerance }
    const tabs = createTabs(device, () => {})
    const reloaded = await openOwnBrowser({ device, tabs, clock: later }, { userId, accountKey })
    expect(reloaded.browserId).toBe(browser.browserId)
    expect(await settle(reloaded, undefined)).toBe('forgotten')
  })
})

describe('an id that has ended', () => {
  test('is followed by another, under which every tab goes on', async () => {
    const { device, browser, entry } = await listed()
    const anew = await openTab(device, browser.browserId)
    expect(anew.browserId).not.toBe(browser.browserId)
    expect(await settle(browser, entry)).toBe('replaced')
    await expect(browser.createNextEntry(identity, entry)).rejects.toThrow('under another id')
    expect((await openTab(device, browser.browserId)).browserId).toBe(anew.browserId)
  })

  test('is followed by another where the account key does not open its keys', async () => {
    const { device, browser, entry } = await listed()
    const key = await importAccountKey(createAccountKey())
    const tab = await openTab(device, undefined, key)
    // The id stays until the keys were loaded: another tab may have encrypted them under new ones.
    expect(await settle(tab, entry)).toBe('replaced')
    expect(await settle(browser, entry)).toBe('current')
    const other = await openTab(device, tab.browserId, key)
    expect(other.browserId).not.toBe(browser.browserId)
    expect(await settle(other, undefined)).toBe('unlisted')
  })
})

test('a replacement of the keys encrypts those of the browser again under the new account key', async () => {
  const device = createMemoryDevice()
  const [formerRaw, accountKeyNow] = [createAccountKey(), await importAccountKey(createAccountKey())]
  const before = await openTab(device, undefined, await importAccountKey(formerRaw))
  const { entry } = await before.createNextEntry(identity, undefined)
  expect(await settle(before, entry)).toBe('current')
  const wrappedFormerKey = await sealPrivate(accountKeyNow, formerKeyBinding(userId, 4), formerRaw)
  const keys = { userId, epochs: [{ n: 4, wrappedFormerKey }] } as unknown as Parameters<typeof reencryptStorage>[2]
  await reencryptStorage({ device, tabs: createTabs(device, () => {}) }, accountKeyNow, keys)
  const after = await openTab(device, undefined, accountKeyNow)
  expect(after.browserId).toBe(before.browserId)
  expect(await settle(after, entry)).toBe('current')
  expect((await readBrowser(device, userId))?.browserId).toBe(before.browserId)
})

test('an entry is old before the newest epochs, and where a clock was ahead', () => {
  const [now, newest] = [1_000_000_000, { createdAt: 999_000_000 }]
  const isOld = (createdAt: number) => isEntryOld({ createdAt }, newest, now)
  expect(isEntryOld(undefined, newest, now)).toBe(true)
  expect([998_999_999, 999_000_000, now, now + limits.clockTolerance].map(isOld)).toEqual([true, false, false, false])
  expect(isOld(now + limits.clockTolerance + 1)).toBe(true)
})
