import { account } from '@privity/contract/account'
import type { BrowserEntry, BrowserLink } from '@privity/contract/browserKeys'
import { browsers, linksPerPage } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import { rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  binding,
  browserKeyOf,
  listBrowser,
  makeEntry,
  makeLink,
  makeRemoval,
  makeSealedPublication,
  ownKeysOf,
  renewal,
  sealTo,
  sessionSignature,
  signInElsewhere,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { newId } from '../../../src/core/ids.ts'
import { makeSealedReplacement } from '../../support/scenes/keyReplacement.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { random, wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
let anna: Member
let first: BrowserEntry
let id: string
/** Signed in with the password, which opens the identity key, with a copy of the browser from before its next entry. */
let copy: Member
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  anna = await server.signUp()
  first = await listBrowser(anna)
  id = first.browserId
  await switchOn(anna)
  copy = await signInElsewhere(server, anna)
})

const code = async (refusal: Promise<{ body: { code: string } }>) => (await refusal).body.code

async function renew(member: Member, before: BrowserEntry): Promise<BrowserEntry> {
  const entry = makeEntry(member, id, before)
  await member.call(browsers.putOwn, await renewal(member, entry, { seen: [1], seeds: sealTo([id], [1]) }))
  return entry
}

const linkOf = (entry: BrowserEntry): BrowserLink =>
  makeLink(anna.keys?.identityKey as string, entry, { browserId: id, n: Math.max(1, entry.n - 1) })

const linksAfter = (after: number) => anna.call(browsers.listLinks, { params: { id }, query: { after } })

describe('with the former signing key of a browser', () => {
  test('no session is bound to it', async () => {
    await copy.call(browsers.bind, await binding(copy, id))
    const second = await renew(anna, first)
    expect(await code(copy.refused(browsers.bind, await binding(copy, id)))).toBe('INVALID_INPUT')
    await copy.call(browsers.bind, await binding(copy, id, second))
  })

  test('a session that was bound is not any more', async () => {
    await copy.call(browsers.bind, await binding(copy, id))
    const { browserId: other } = await listBrowser(await signInElsewhere(server, anna))
    await renew(anna, first)
    expect((await ownKeysOf(copy, id)).browsers).toMatchObject({ isBound: false })
    expect((await ownKeysOf(anna, id)).browsers).toMatchObject({ isBound: true })
    const removal = { params: { id: other }, body: makeRemoval(anna, other) }
    expect(await code(copy.refused(browsers.remove, removal))).toBe('BROWSER_NOT_APPROVED')
    await anna.call(browsers.remove, removal)
  })

  test('no entry is listed, neither under the former number nor under the next', async () => {
    const second = await renew(anna, first)
    const fork = makeEntry(anna, id, first)
    expect(await code(copy.refused(browsers.putOwn, await renewal(copy, fork, { seen: [1] })))).toBe('BROWSERS_CHANGED')
    const next = makeEntry(anna, id, second, {}, first)
    const refused = await copy.refused(browsers.putOwn, await renewal(copy, next, { seen: [1] }))
    expect(refused.body).toMatchObject({ details: [{ path: 'browserSignature' }] })
    expect((await ownKeysOf(anna, id)).browsers.own).toEqual(second)
  })

  test('no next entry has a session that it signed', async () => {
    const next = makeEntry(anna, id, first)
    const former = { seen: [1], sessionSignature: await sessionSignature(anna, id, first) }
    const refused = await anna.refused(browsers.putOwn, await renewal(anna, next, former))
    expect(refused.body).toMatchObject({ details: [{ path: 'sessionSignature' }] })
  })

  test('nothing is published', async () => {
    const second = await renew(anna, first)
    server.clock.advance(1)
    const { epochs, sealing } = await makeSealedPublication(copy, server.clock.now(), second)
    const entry = makeEntry(anna, id, second, {}, first)
    const body = { epochs, sealing: { ...sealing, renewal: { ...sealing.renewal, entry } } }
    expect(await code(copy.refused(keys.publishEpochs, { body }))).toBe('INVALID_INPUT')
    await anna.call(keys.publishEpochs, { body: await makeSealedPublication(anna, server.clock.now(), second) })
  })

  test('no new keys are made', async () => {
    const second = await renew(anna, first)
    const change = { currentPassword: anna.password, newPassword: 'a new password', wrappedAccountKey: wrapped() }
    const own = await ownKeysOf(anna, id)
    const former = { ...change, replacement: makeSealedReplacement(own, id, { signer: first }) }
    expect(await code(copy.refused(account.changePassword, { body: former }))).toBe('INVALID_INPUT')
    const body = { ...change, replacement: makeSealedReplacement(own, id, { signer: second }) }
    await anna.call(account.changePassword, { body })
  })
})

describe('the links of a browser', () => {
  test('are kept from its first entry on, each signed by the key before it', async () => {
    const entries = [first]
    for (let at = 0; at < 3; at++) entries.push(await renew(anna, entries.at(-1) as BrowserEntry))
    expect(await linksAfter(0)).toEqual(entries.map(linkOf))
    expect(await linksAfter(2)).toEqual(entries.slice(2).map(linkOf))
    expect(await linksAfter(4)).toEqual([])
  })

  test('come a page at a time', async () => {
    const rows = Array.from({ length: linksPerPage + 1 }, (_, i) => [
      anna.user.id,
      id,
      i + 2,
      random(32),
      random(32),
      random(64),
    ])
    await server.core.db.write(async (tx) => {
      for (const row of rows) await tx.run('insert into browser_links values (?, ?, ?, ?, ?, ?)', row)
    })
    const page = await linksAfter(1)
    expect([page.length, page[0]?.n, page.at(-1)?.n]).toEqual([linksPerPage, 2, linksPerPage + 1])
    expect((await linksAfter(linksPerPage + 1)).map(({ n }) => n)).toEqual([linksPerPage + 2])
  })

  test('are limited for each browser and day, also those of a restored backup and of publications', async () => {
    const { requests } = rateLimits.browserLinks
    const other = await listBrowser(await signInElsewhere(server, anna))
    const second = await renew(anna, first)
    const third = makeEntry(anna, id, second)
    const entry = makeEntry(anna, id, third)
    server.core.rates.take('browserLinks', `${anna.user.id}/${id}`, requests - 3)
    const change = { links: [linkOf(third)], seen: [1], seeds: sealTo([id], [1]) }
    await anna.call(browsers.putOwn, await renewal(anna, entry, change))
    const next = await renewal(anna, makeEntry(anna, id, entry), { seen: [1], seeds: sealTo([id], [1]) })
    expect(await code(anna.refused(browsers.putOwn, next))).toBe('RATE_LIMITED')
    server.clock.advance(1)
    const body = await makeSealedPublication(anna, server.clock.now(), entry)
    expect(await code(anna.refused(keys.publishEpochs, { body }))).toBe('RATE_LIMITED')
    await copy.call(browsers.putOwn, await renewal(copy, makeEntry(copy, other.browserId, other)))
  })

  test('go on across new keys', async () => {
    const second = await renew(anna, first)
    const replacement = makeSealedReplacement(await ownKeysOf(anna, id), id)
    const body = { currentPassword: anna.password, newPassword: 'a new password', wrappedAccountKey: wrapped() }
    await anna.call(account.changePassword, { body: { ...body, replacement } })
    const { entry } = replacement.browser as { entry: BrowserEntry }
    const third = makeLink(replacement.identityKey, entry, second)
    expect(await linksAfter(0)).toEqual([first, second].map(linkOf).concat(third))
  })

  test('are deleted with it', async () => {
    await renew(anna, first)
    await anna.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
    expect(await server.core.db.read.all('select n from browser_links where browser_id = ?', [id])).toEqual([])
  })
})

describe('a browser whose server was restored from a backup', () => {
  /** The server is at entry 1 again, the browser at entry 3. */
  function later() {
    const second = makeEntry(anna, id, first)
    const third = makeEntry(anna, id, second)
    return { second, third, entry: makeEntry(anna, id, third) }
  }

  test('goes on with the links that the server lacks, which it keeps', async () => {
    const { second, third, entry } = later()
    const links = [second, third].map(linkOf)
    await anna.call(browsers.putOwn, await renewal(anna, entry, { links, seen: [1], seeds: sealTo([id], [1]) }))
    expect((await ownKeysOf(anna, id)).browsers).toMatchObject({ own: entry, isApproved: true, isBound: true })
    expect(await linksAfter(0)).toEqual([first, second, third, entry].map(linkOf))
  })

  test('brings all of them, in their order, signed and its own', async () => {
    const { second, third, entry } = later()
    const links = [second, third].map(linkOf) as [BrowserLink, BrowserLink]
    const [one, two] = links
    const other = await listBrowser(await signInElsewhere(server, anna))
    const identityKey = anna.keys?.identityKey as string
    const ofOther = makeLink(identityKey, makeEntry(anna, other.browserId, other), other)
    for (const [wrong, expected] of [
      [[], 'BROWSERS_CHANGED'],
      [[two], 'BROWSERS_CHANGED'],
      [[two, one], 'BROWSERS_CHANGED'],
      [[linkOf(first), one, two], 'BROWSERS_CHANGED'],
      [[ofOther, two], 'INVALID_INPUT'],
      [[{ ...one, signature: two.signature }, two], 'INVALID_INPUT'],
      [[{ ...one, signKey: browserKeyOf(other).signKey }, two], 'INVALID_INPUT'],
      [[makeLink(identityKey, second, other), two], 'INVALID_INPUT'],
    ] as const) {
      const body = await renewal(anna, entry, { links: [...wrong], seen: [1] })
      expect(await code(anna.refused(browsers.putOwn, body))).toBe(expected)
    }
  })

  test('cannot go on where the server knows none of its entries', async () => {
    const other = newId(startOfTests)
    const one = makeEntry(anna, other)
    const two = makeEntry(anna, other, one)
    const links = [makeLink(anna.keys?.identityKey as string, one, one)]
    for (const change of [{ links }, {}])
      expect(await code(copy.refused(browsers.putOwn, await renewal(copy, two, change)))).toBe('BROWSERS_CHANGED')
  })
})
