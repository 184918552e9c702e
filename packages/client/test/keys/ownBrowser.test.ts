import { limits } from '@privity/contract/limits'
import { describe, expect, test } from 'vitest'
import {
  createAccountKey,
  createIdentity,
  importAccountKey,
  importIdentity,
  newId,
  openPrivate,
  randomBytes,
  sealPrivate,
} from '@privity/e2ee'
import { type BrowserEntry, createBrowserEntry, sealSeed } from '@privity/e2ee/browserEntry'
import { readBrowserPair } from '@privity/e2ee/browserPair'
import { reencryptStorage } from '../../src/account/newKeys/reencrypt.ts'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice, type Device } from '../../src/index.ts'
import { browserBinding, formerKeyBinding } from '../../src/keys/aad.ts'
import { openOwnBrowser } from '../../src/keys/browsers/ownBrowser.ts'
import { isPairOld, readBrowser, type StoredBrowser } from '../../src/keys/browsers/storedBrowser.ts'
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

/** A browser whose first pair is listed. */
async function listed(device = createMemoryDevice()) {
  const browser = await openTab(device)
  const entry = await browser.createNextEntry(identity, undefined)
  expect(await browser.settle(entry)).toBe('current')
  return { device, browser, entry }
}

const sealTo = (entry: BrowserEntry) => sealSeed(entry.kemKey, { userId, n: 5, browserId: entry.browserId }, seed)

describe('the pair of a browser', () => {
  test('stays on the device, under the account key', async () => {
    const { device, entry } = await listed()
    const again = await openTab(device)
    expect(again.browserId).toBe(entry.browserId)
    expect(await again.openSeed(5, await sealTo(entry))).toEqual(seed)
  })

  test('opens what was sealed to the next pair before the response was lost', async () => {
    const { device, browser, entry } = await listed()
    const next = await browser.createNextEntry(identity, entry)
    const reloaded = await openTab(device)
    expect(await reloaded.openSeed(5, await sealTo(next))).toEqual(seed)
    expect(await reloaded.settle(next)).toBe('current')
    expect(await reloaded.openSeed(5, await sealTo(entry))).toBeUndefined()
  })

  test('is the same next one until the list shows which pair counts', async () => {
    const { device, browser, entry } = await listed()
    const next = await browser.createNextEntry(identity, entry)
    expect(await browser.settle(entry)).toBe('current')
    const reloaded = await openTab(device)
    expect((await reloaded.createNextEntry(identity, entry)).kemKey).toBe(next.kemKey)
  })

  test('is a new one once the one before is listed', async () => {
    const { browser, entry } = await listed()
    const next = await browser.createNextEntry(identity, entry)
    await browser.settle(next)
    const after = await browser.createNextEntry(identity, next)
    expect(after).toMatchObject({ n: 3 })
    expect(after.kemKey).not.toBe(next.kemKey)
  })

  test('of two tabs that open a device for the first time is one', async () => {
    const device = createMemoryDevice()
    const [one, other] = await Promise.all([openTab(device), openTab(device)])
    expect(one.browserId).toBe(other.browserId)
  })
})

describe('an entry that the server shows', () => {
  test('with a pair that this browser never had is of another copy', async () => {
    const { device, browser, entry } = await listed()
    const copied = createMemoryDevice()
    await copied.set(browserName(userId), await device.get(browserName(userId)))
    const copy = await openTab(copied)
    const next = await copy.createNextEntry(identity, entry)
    expect(await browser.settle(next)).toBe('foreign')
    expect(await copy.settle(next)).toBe('current')
  })

  test('with the pair from before the next one is of another copy, which has listed it again', async () => {
    const { device, browser, entry } = await listed()
    const copied = createMemoryDevice()
    await copied.set(browserName(userId), await device.get(browserName(userId)))
    const next = await browser.createNextEntry(identity, entry)
    const stored = (await copied.get(browserName(userId))) as StoredBrowser
    const pair = readBrowserPair(await openPrivate(accountKey, browserBinding(userId, stored.browserId), stored.sealed))
    const [kemSeed, signSeed] = [pair.seed as Uint8Array<ArrayBuffer>, pair.signSeed]
    const { browserId } = stored
    const again = { identity, userId, browserId, kemSeed, signSeed, createdAt: now, previous: next }
    expect(await browser.settle(await createBrowserEntry(again))).toBe('foreign')
  })

  test('under another key is of somebody who uses the id, also with the pair of this browser', async () => {
    const { browser, entry } = await listed()
    expect(await browser.settle({ ...entry, signKey: identity.publicKey })).toBe('foreign')
    const next = await browser.createNextEntry(identity, entry)
    expect(next.signKey).toBe(entry.signKey)
  })

  test('is an older one after a restored backup, and none where there was none yet', async () => {
    const { browser, entry } = await listed()
    const next = await browser.createNextEntry(identity, entry)
    await browser.settle(next)
    expect(await browser.settle(entry)).toBe('older')
    expect(await browser.settle(undefined)).toBe('unlisted')
    const anew = await browser.createNextEntry(identity, entry)
    expect(await browser.settle(anew)).toBe('current')
  })
})

describe('an id that has ended', () => {
  test('is followed by another, under which every tab goes on', async () => {
    const { device, browser, entry } = await listed()
    const anew = await openTab(device, browser.browserId)
    expect(anew.browserId).not.toBe(browser.browserId)
    expect(await browser.settle(entry)).toBe('replaced')
    await expect(browser.createNextEntry(identity, entry)).rejects.toThrow('under another id')
    expect((await openTab(device, browser.browserId)).browserId).toBe(anew.browserId)
  })

  test('is followed by another where the account key does not open its pair', async () => {
    const { device, browser } = await listed()
    const other = await openTab(device, undefined, await importAccountKey(createAccountKey()))
    expect(other.browserId).not.toBe(browser.browserId)
  })
})

test('a replacement of the keys encrypts the pair again under the new account key', async () => {
  const device = createMemoryDevice()
  const [formerRaw, accountKeyNow] = [createAccountKey(), await importAccountKey(createAccountKey())]
  const before = await openTab(device, undefined, await importAccountKey(formerRaw))
  const entry = await before.createNextEntry(identity, undefined)
  const wrappedFormerKey = await sealPrivate(accountKeyNow, formerKeyBinding(userId, 4), formerRaw)
  const keys = { userId, epochs: [{ n: 4, wrappedFormerKey }] } as unknown as Parameters<typeof reencryptStorage>[2]
  await reencryptStorage({ device, tabs: createTabs(device, () => {}) }, accountKeyNow, keys)
  const after = await openTab(device, undefined, accountKeyNow)
  expect(after.browserId).toBe(before.browserId)
  expect(await after.settle(entry)).toBe('current')
  expect((await readBrowser(device, userId))?.browserId).toBe(before.browserId)
})

test('a pair is old before the newest epochs, and where a clock was ahead', () => {
  const [now, newest] = [1_000_000_000, { createdAt: 999_000_000 }]
  const isOld = (createdAt: number) => isPairOld({ createdAt }, newest, now)
  expect(isPairOld(undefined, newest, now)).toBe(true)
  expect([998_999_999, 999_000_000, now, now + limits.clockTolerance].map(isOld)).toEqual([true, false, false, false])
  expect(isOld(now + limits.clockTolerance + 1)).toBe(true)
})
