import type { browsers as contract } from '@privity/contract/browsers'
import { expect, test } from 'vitest'
import type { ComparisonState } from '../../src/keys/browsers/approval.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { createStage, meetContacts, next, type Person, sentAll, texts } from '../support/stage.ts'

const codeOf = (state: ComparisonState) => (state.status === 'comparing' ? state.code : state.status)

/** A member with "Only approved browsers", with a message from before, and the same member in a new browser. */
async function createScene() {
  const stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const added = await stage.signIn(anna)
  await meetContacts(added)
  await browserListed(added)
  const addedId = await browserIdOf(added, anna)
  return { stage, anna, added, addedId, connectionId, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() }
}

const isApproved = async (person: Person) =>
  (await person.client.browsers.list()).browsers.find(({ isCurrent }) => isCurrent)?.isApproved

test('both browsers show the same six digits, and the approved one opens what was before', async () => {
  await using scene = await createScene()
  const { anna, added, addedId, connectionId } = scene
  const request = await added.client.browsers.requestApproval()
  expect(await request.proceed()).toEqual({ status: 'waiting' })
  const approval = await anna.client.browsers.answerApproval(addedId)
  expect(await approval.proceed()).toEqual({ status: 'waiting' })
  const code = codeOf(await request.proceed())
  expect(code).toMatch(/^\d{6}$/)
  expect(codeOf(await approval.proceed())).toBe(code)
  expect(await isApproved(added)).toBe(false)
  const listedAnew = next(added, 'resync')
  await approval.approve()
  await listedAnew
  expect([await request.proceed(), await approval.proceed()]).toEqual([{ status: 'approved' }, { status: 'approved' }])
  expect(await texts(added, connectionId)).toEqual(['Before'])
})

test('a refused comparison, one begun anew and one after ten minutes have ended on both sides', async () => {
  await using scene = await createScene()
  const { stage, anna, added, addedId } = scene
  const ended = { status: 'ended' }
  const refused = await added.client.browsers.requestApproval()
  await (await anna.client.browsers.answerApproval(addedId)).end()
  expect(await refused.proceed()).toEqual(ended)
  await expect(anna.client.browsers.answerApproval(addedId)).rejects.toMatchObject({ code: 'APPROVAL_ENDED' })
  await added.client.browsers.requestApproval()
  const answered = await anna.client.browsers.answerApproval(addedId)
  const again = await added.client.browsers.requestApproval()
  expect(await answered.proceed()).toEqual(ended)
  await stage.advance(10 * 60_000)
  expect(await again.proceed()).toEqual(ended)
})

test('a page of the approving browser that ends lets the new browser begin again', async () => {
  await using scene = await createScene()
  const { anna, added, addedId } = scene
  const first = await added.client.browsers.requestApproval()
  await anna.client.browsers.answerApproval(addedId)
  expect(await first.proceed()).toMatchObject({ status: 'comparing' })
  // The same browser again, without the nonce of its first page.
  await expect(anna.client.browsers.answerApproval(addedId)).rejects.toMatchObject({ code: 'APPROVAL_ENDED' })
  expect(await first.proceed()).toEqual({ status: 'ended' })
  const request = await added.client.browsers.requestApproval()
  const approval = await anna.client.browsers.answerApproval(addedId)
  expect(codeOf(await request.proceed())).toBe(codeOf(await approval.proceed()))
})

test('a server that names another entry as the new browser’s own gets no equal digits for it', async () => {
  await using scene = await createScene()
  const { stage, anna, added, addedId } = scene
  const thief = await stage.signIn(anna)
  await meetContacts(thief)
  await browserListed(thief)
  const thiefId = await browserIdOf(thief, anna)
  added.network.tampers = (name, answer) =>
    name === 'GET /api/browsers'
      ? (answer as Awaited<ReturnType<typeof added.client.call<typeof contract.list>>>).map((browser) => ({
          ...browser,
          isCurrent: browser.entry.browserId === thiefId,
        }))
      : answer
  const request = await added.client.browsers.requestApproval()
  await expect(anna.client.browsers.answerApproval(thiefId)).rejects.toMatchObject({ code: 'APPROVAL_ENDED' })
  const approval = await anna.client.browsers.answerApproval(addedId)
  expect(codeOf(await request.proceed())).toBe(codeOf(await approval.proceed()))
})

test('a comparison ends once the approving browser is removed', async () => {
  await using scene = await createScene()
  const { anna, added, addedId } = scene
  const request = await added.client.browsers.requestApproval()
  await anna.client.browsers.answerApproval(addedId)
  expect(await request.proceed()).toMatchObject({ status: 'comparing' })
  const annaId = await browserIdOf(anna, anna)
  added.network.tampers = (name, answer) =>
    name === 'GET /api/browsers'
      ? (answer as Awaited<ReturnType<typeof added.client.call<typeof contract.list>>>).filter(
          ({ entry }) => entry.browserId !== annaId,
        )
      : answer
  expect(await request.proceed()).toEqual({ status: 'ended' })
})

/** Compares both browsers up to the digits. Returns the side of the browser that approves. */
async function compare({ anna, added, addedId }: Awaited<ReturnType<typeof createScene>>) {
  const request = await added.client.browsers.requestApproval()
  const approval = await anna.client.browsers.answerApproval(addedId)
  await request.proceed()
  await approval.proceed()
  return approval
}

test('an approval is refused once the compared browser has another entry', async () => {
  await using scene = await createScene()
  const { anna, added, addedId } = scene
  const approval = await compare(scene)
  const { own } = (await keysFor(added)).browsers
  anna.network.tampers = (name, answer) => {
    const keys = answer as Awaited<ReturnType<typeof keysFor>>
    if (name !== 'GET /api/keys') return answer
    // The entry of another browser under the id of the compared one, as a thief with the identity key would sign it.
    const shown = keys.browsers.browsers.map((entry) =>
      entry.browserId === addedId ? { ...(own ?? entry), kemKey: keys.browsers.recovery.kemKey } : entry,
    )
    return { ...keys, browsers: { ...keys.browsers, browsers: shown } }
  }
  await expect(approval.approve()).rejects.toMatchObject({ code: 'APPROVAL_ENDED' })
  expect(await isApproved(added)).toBe(false)
})

test('an approval is refused once the compared browser has renewed its entry itself', async () => {
  await using scene = await createScene()
  const { anna, added } = scene
  const approval = await compare(scene)
  const numberOf = async () => (await keysFor(added)).browsers.own?.n ?? 0
  const before = await numberOf()
  const { db } = scene.stage.server.core
  await db.write((tx) => tx.run('update users set publication_due = 1 where id = ?', [anna.user.id]))
  await added.client.browsers.setOnlyApproved(true)
  expect(await numberOf()).toBeGreaterThan(before)
  await expect(approval.approve()).rejects.toMatchObject({ code: 'APPROVAL_ENDED' })
  expect(await isApproved(added)).toBe(false)
})

test('a server that exchanges the answer once it knows both nonces changes no digit', async () => {
  await using scene = await createScene()
  const { anna, added, addedId } = scene
  const request = await added.client.browsers.requestApproval()
  await anna.client.browsers.answerApproval(addedId)
  const code = codeOf(await request.proceed())
  const other = 'A'.repeat(43)
  added.network.tampers = (name, answer) =>
    name === 'GET /api/browsers'
      ? (answer as Awaited<ReturnType<typeof added.client.call<typeof contract.list>>>).map((browser) => ({
          ...browser,
          approval: browser.approval && { ...browser.approval, nonceOfApprover: other },
        }))
      : answer
  expect(codeOf(await request.proceed())).toBe(code)
})

test('a new browser that reveals another nonce than it had committed to is not compared', async () => {
  await using scene = await createScene()
  const { anna, added, addedId } = scene
  const request = await added.client.browsers.requestApproval()
  const approval = await anna.client.browsers.answerApproval(addedId)
  await request.proceed()
  anna.network.tampers = (name, answer) =>
    name === 'GET /api/browsers'
      ? (answer as Awaited<ReturnType<typeof anna.client.call<typeof contract.list>>>).map((browser) => ({
          ...browser,
          approval: browser.approval && { ...browser.approval, nonceOfNew: 'A'.repeat(43) },
        }))
      : answer
  expect(await approval.proceed()).toEqual({ status: 'ended' })
})
