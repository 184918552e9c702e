import { browsers } from '@privity/contract/browsers'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import {
  approval,
  binding,
  listBrowser,
  makeEntry,
  makeRemoval,
  ownKeysOf,
  renewal,
  signInElsewhere,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { random } from '../../support/server/memberKeys.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const code = async (refusal: Promise<{ body: { code: string } }>) => (await refusal).body.code

describe('the list of browsers', () => {
  test('names each browser with its use, the one of this session first', async () => {
    const anna = await server.signUp()
    const first = await listBrowser(anna)
    const elsewhere = await signInElsewhere(server, anna)
    const second = await listBrowser(elsewhere)
    const listed = await anna.call(browsers.list, {})
    expect(listed.map(({ entry, isCurrent }) => [entry, isCurrent])).toEqual([
      [first, true],
      [second, false],
    ])
    expect(listed[0]?.isApproved).toBe(true)
  })

  test('takes only what the identity key has signed, and only in its order', async () => {
    const [anna, bela] = [await server.signUp(), await server.signUp()]
    const entry = makeEntry(anna, newId(startOfTests))
    const ahead = startOfTests + limits.clockTolerance + 60_000
    for (const bad of [
      { ...entry, signature: random(64) },
      // Signed by the identity key of somebody else than the user whom it names.
      makeEntry(anna, newId(startOfTests), undefined, { userId: bela.user.id }),
      { ...entry, kemKey: random(1216) },
      makeEntry(anna, anna.user.id),
      makeEntry(anna, newId(startOfTests), undefined, { createdAt: ahead + (server.clock.now() - startOfTests) }),
      // As of a browser that the list has forgotten: anybody with a session has seen its entry.
      makeEntry(anna, newId(startOfTests), undefined, { createdAt: startOfTests - limits.clockTolerance - 1 }),
      makeEntry(anna, newId(startOfTests - limits.clockTolerance - 1)),
    ])
      expect(await code(anna.refused(browsers.putOwn, await renewal(anna, bad)))).toBe('INVALID_INPUT')
    expect(
      await code(anna.refused(browsers.putOwn, await renewal(anna, makeEntry(anna, entry.browserId, entry)))),
    ).toBe('BROWSERS_CHANGED')
    await anna.call(browsers.putOwn, await renewal(anna, entry))
    expect(await code(anna.refused(browsers.putOwn, await renewal(anna, entry)))).toBe('BROWSERS_CHANGED')
    await anna.call(browsers.putOwn, await renewal(anna, makeEntry(anna, entry.browserId, entry)))
    expect(await ownKeysOf(bela, entry.browserId)).toMatchObject({ browsers: { browsers: [], isListed: false } })
  })

  test('holds ten browsers: a further one takes the place of the one used least recently', async () => {
    const anna = await server.signUp()
    const ids: string[] = []
    for (let at = 0; at <= limits.browsers; at++) {
      server.clock.advance(1)
      ids.push((await listBrowser(anna)).browserId)
    }
    const own = await ownKeysOf(anna, ids[0])
    expect(own.browsers.browsers).toHaveLength(limits.browsers)
    expect([own.browsers.isListed, own.browsers.own]).toEqual([false, undefined])
    await listBrowser(anna, ids[0])
    expect((await ownKeysOf(anna, ids[0])).browsers.isListed).toBe(true)
  })

  test('a browser that is in use stays in the list, however long ago it was listed', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    const { browserId } = await listBrowser(anna)
    for (let other = 0; other < limits.browsers; other++) {
      own.clock.advance(60_000)
      await anna.call(session.getUser, {})
      await listBrowser(await signInElsewhere(own, anna), undefined, own.clock.now())
    }
    expect((await ownKeysOf(anna, browserId)).browsers).toMatchObject({ isListed: true })
  })

  test('a removed browser never returns, and its sessions have ended', async () => {
    const anna = await server.signUp()
    await listBrowser(anna)
    const lost = await signInElsewhere(server, anna)
    const { browserId: id } = await listBrowser(lost)
    const body = makeRemoval(anna, id)
    const ofAnother = makeRemoval(anna, id, newId(startOfTests))
    for (const bad of [{ ...body, signature: random(64) }, makeRemoval(anna, newId(startOfTests)), ofAnother])
      expect(await code(anna.refused(browsers.remove, { params: { id }, body: bad }))).toBe('INVALID_INPUT')
    await anna.call(browsers.remove, { params: { id }, body })
    expect(await lost.refused(session.getUser, {})).toMatchObject({ status: 401 })
    expect(await code(anna.refused(browsers.putOwn, await renewal(anna, makeEntry(anna, id))))).toBe('BROWSER_REMOVED')
    // In the default mode no publication is due: one that is due would not count towards the limit of a day.
    expect((await ownKeysOf(anna)).browsers).toMatchObject({ removed: [body], isPublicationDue: false })
    expect(await code(anna.refused(browsers.remove, { params: { id }, body }))).toBe('BROWSER_NOT_FOUND')
  })

  test('names the newest removals to the other browsers', async () => {
    const anna = await server.signUp()
    const own = await listBrowser(anna)
    const ids = Array.from({ length: limits.removedBrowsers + 1 }, (_, i) => newId(i))
    const { createdAt, signature } = makeRemoval(anna, own.browserId)
    const insert = 'insert into browser_removals values (?, ?, ?, ?, ?)'
    await server.core.db.write(async (tx) => {
      for (const [i, id] of ids.entries()) await tx.run(insert, [anna.user.id, id, createdAt, signature, i])
    })
    const { removed } = (await ownKeysOf(anna, own.browserId)).browsers
    expect(removed.map(({ browserId }) => browserId)).toEqual(ids.slice(1).toReversed())
  })

  test.each(['the session is this one', 'another browser removes it'])(
    'a removed browser has no session that another one uses by now: %s',
    async (who) => {
      const anna = await server.signUp()
      // A copy of a browser has its session: each of the two goes on under an id of its own.
      const shared = await signInElsewhere(server, anna)
      const { browserId: id } = await listBrowser(shared)
      await listBrowser(shared)
      if (who !== 'the session is this one') await listBrowser(anna)
      const remover = who === 'the session is this one' ? shared : anna
      await remover.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
      expect(await shared.refused(session.getUser, {})).toMatchObject({ status: 401 })
      await anna.call(session.getUser, {})
    },
  )

  test.each([
    ['says so where another browser removed it', false, 'browser_removed_elsewhere'],
    ['gives no reason to the browser that did it', true, ''],
  ])('the end of the session of a removed browser %s', async (_claim, isOwnAct, reason) => {
    const anna = await server.signUp()
    const { browserId: id } = await listBrowser(anna)
    const other = await signInElsewhere(server, anna)
    await listBrowser(isOwnAct ? anna : other)
    const socket = await anna.socket()
    await (isOwnAct ? anna : other).call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
    expect(await socket.closedFor).toBe(reason)
  })

  test('a session belongs to a listed browser of its own user only', async () => {
    const [anna, bela] = [await server.signUp(), await server.signUp()]
    const { browserId: id } = await listBrowser(anna)
    expect(await code(bela.refused(browsers.bind, await binding(bela, id)))).toBe('BROWSER_NOT_FOUND')
    const again = await signInElsewhere(server, anna)
    expect((await ownKeysOf(again, id)).browsers.isBound).toBe(false)
    await again.call(browsers.bind, await binding(again, id))
    expect((await ownKeysOf(again, id)).browsers.isBound).toBe(true)
  })
})

describe('the comparison that approves a browser', () => {
  async function begin() {
    const approver = await server.signUp()
    const list = (one: typeof approver) => listBrowser(one, undefined, server.clock.now())
    const { browserId: approverId } = await list(approver)
    const member = await signInElsewhere(server, approver)
    const { browserId: id } = await list(member)
    const commitment = random(32)
    await member.call(browsers.startApproval, { params: { id }, body: { commitment } })
    const stateOf = async () =>
      (await approver.call(browsers.list, {})).find(({ entry }) => entry.browserId === id)?.approval
    return { approver, approverId, member, params: { id }, commitment, stateOf }
  }

  test('the new browser commits, the other one answers once, and only then it reveals', async () => {
    const { approver, approverId, member, params, commitment, stateOf } = await begin()
    const [nonce, own] = [random(32), random(32)]
    const reveal = { params, body: { commitment, nonce: own } }
    expect(await code(member.refused(browsers.revealApproval, reveal))).toBe('APPROVAL_ENDED')
    const answer = { params, body: { commitment, approverId, nonce } }
    await approver.call(browsers.answerApproval, answer)
    const second = { params, body: { ...answer.body, nonce: random(32) } }
    expect(await code(approver.refused(browsers.answerApproval, second))).toBe('APPROVAL_ENDED')
    expect(await stateOf()).toMatchObject({ commitment, approverId, nonceOfApprover: nonce })
    await member.call(browsers.revealApproval, reveal)
    expect((await stateOf())?.nonceOfNew).toBe(own)
  })

  test('no browser answers itself, and none answers or reveals in the name of another', async () => {
    const { approver, approverId, member, params, commitment } = await begin()
    const nonce = random(32)
    const itself = { params, body: { commitment, approverId: params.id, nonce } }
    expect(await code(member.refused(browsers.answerApproval, itself))).toBe('APPROVAL_ENDED')
    const another = { params, body: { commitment, approverId, nonce } }
    expect(await code(member.refused(browsers.answerApproval, another))).toBe('BROWSER_NOT_FOUND')
    await approver.call(browsers.answerApproval, another)
    const reveal = { params, body: { commitment, nonce } }
    expect(await code(approver.refused(browsers.revealApproval, reveal))).toBe('BROWSER_NOT_FOUND')
  })

  test('it ends after ten minutes, when it is refused, and with the approval', async () => {
    const first = await begin()
    const answerOf = ({ params, commitment, approverId }: typeof first) => ({
      params,
      body: { commitment, approverId, nonce: random(32) },
    })
    server.clock.advance(limits.browserApproval)
    expect(await first.stateOf()).toBeUndefined()
    expect(await code(first.approver.refused(browsers.answerApproval, answerOf(first)))).toBe('APPROVAL_ENDED')
    const second = await begin()
    await second.approver.call(browsers.endApproval, { params: second.params })
    expect(await second.stateOf()).toBeUndefined()
    expect(await code(second.approver.refused(browsers.answerApproval, answerOf(second)))).toBe('APPROVAL_ENDED')
    const third = await begin()
    await third.approver.call(browsers.approve, {
      params: third.params,
      body: approval(third.approver, third.params.id, 1, []),
    })
    expect(await third.stateOf()).toBeUndefined()
  })

  test('a comparison that is begun anew is answered anew', async () => {
    const { approver, approverId, member, params, commitment, stateOf } = await begin()
    const answer = { commitment, approverId, nonce: random(32) }
    await approver.call(browsers.answerApproval, { params, body: answer })
    await member.call(browsers.revealApproval, { params, body: { commitment, nonce: random(32) } })
    const next = random(32)
    await member.call(browsers.startApproval, { params, body: { commitment: next } })
    const state = await stateOf()
    expect([state?.approverId, state?.nonceOfApprover, state?.nonceOfNew]).toEqual([undefined, undefined, undefined])
    await approver.call(browsers.answerApproval, { params, body: { ...answer, commitment: next } })
  })

  test('it is withdrawn in the session of the browser that asks', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    await listBrowser(anna)
    await switchOn(anna)
    const asker = await signInElsewhere(own, anna)
    const { browserId: id } = await listBrowser(asker)
    await asker.call(browsers.startApproval, { params: { id }, body: { commitment: random(32) } })
    await asker.call(browsers.endApproval, { params: { id } })
    expect((await asker.call(browsers.list, {}))[0]?.approval).toBeUndefined()
  })

  test('both browsers hear of each step', async () => {
    const { approver, approverId, params, commitment } = await begin()
    const heard = await approver.socket()
    const body = { commitment, approverId, nonce: random(32) }
    await approver.call(browsers.answerApproval, { params, body })
    expect(await heard.next('browsers_changed')).toEqual({ type: 'browsers_changed' })
  })
})
