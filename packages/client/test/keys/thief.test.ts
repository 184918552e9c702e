import { expect, test } from 'vitest'
import { keys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { accountKeyOf } from '../support/accountKey.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { accept, replaceKeys } from '../support/keyRotation.ts'
import { createImpostor } from '../support/impostor.ts'
import { createStage, meetContacts, next, sentAll, type Stage, texts } from '../support/stage.ts'
import { createRecording, openDisk, stealDisk, stealSeeds, textsOfThief } from '../support/thief.ts'

type Impostor = Awaited<ReturnType<typeof createImpostor>>

/** Anna, who writes to Ben, and a recording of everything that is sent. */
async function begin(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  const recording = createRecording(connectionId)
  async function send(text: string): Promise<void> {
    await anna.client.messages.send(connectionId, text)
    await sentAll(anna)
    await recording.record(anna)
  }
  await send('Before')
  return { anna, ben, connectionId, recording, send }
}

test('a thief with the session cookie reads metadata and ciphertext, and opens no message', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await begin(stage)
  // The cookies of Ben's browser, and nothing that it has stored.
  const thief = stage.tab({ ...stage.tab(), network: ben.network })
  await thief.client.account.start()
  expect(thief.client.account.state.get().status).toBe('locked')
  const stolen = [
    await thief.client.call(keys.getOwn, { query: {} }),
    await thief.client.call(messages.list, { params: { id: connectionId }, query: {} }),
  ]
  expect(JSON.stringify(stolen)).toContain(connectionId)
  expect(JSON.stringify(stolen)).not.toContain('Before')
  const elsewhere = await stage.signIn(ben)
  await elsewhere.client.ownAccount.endOtherSessions()
  const after = thief.client.call(messages.list, { params: { id: connectionId }, query: {} })
  await expect(after).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
})

test('a copied disk with database and secret opens what keys open that existed then', async () => {
  await using stage = await createStage()
  const { anna, ben, recording, send } = await begin(stage)
  const disk = await stealDisk(ben)
  const stolen = await stealSeeds(stage, ben, await openDisk(stage, disk))
  await ben.client.account.signOut()
  await send('After')
  expect(await textsOfThief(stage, ben, anna, recording, stolen)).toEqual(['Before', 'After'])
})

test('a copied disk opens nothing with a database of after its session, and the secret', async () => {
  await using stage = await createStage()
  const { ben } = await begin(stage)
  const disk = await stealDisk(ben)
  expect(await openDisk(stage, disk)).toBeDefined()
  await ben.client.account.signOut()
  expect(await openDisk(stage, disk)).toBeUndefined()
})

test('a thief with the password reads what the member reads, until the password is changed', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await begin(stage)
  const thief = await stage.signIn(ben)
  expect(await texts(thief, connectionId)).toEqual(['Before'])
  const ended = next(thief, 'signed_out')
  await ben.client.ownAccount.changePassword({ currentPassword: ben.password, newPassword: 'an entirely new one' })
  await ended
  await expect(stage.signIn(ben)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
})

/** Ben with "Only approved browsers", and a thief with the password in a browser that is listed and not approved. */
async function beginApproved(stage: Stage) {
  const { ben, connectionId } = await begin(stage)
  await browserListed(ben)
  await ben.client.browsers.setOnlyApproved(true)
  const thief = await stage.signIn(ben)
  await browserListed(thief)
  const approvedId = await browserIdOf(ben, ben)
  return { ben, thief, connectionId, approvedId, impostor: await createImpostor(stage, thief, approvedId) }
}

const attacks: [string, (impostor: Impostor) => Promise<unknown>, string][] = [
  ['with its session', ({ bind }) => bind(), 'INVALID_INPUT'],
  ['with an entry of its own', ({ listWithOwnKey }) => listWithOwnKey(), 'INVALID_INPUT'],
  ['with the key of that one', ({ listWithKeyOfApproved }) => listWithKeyOfApproved(), 'INVALID_INPUT'],
  ['by approving itself', ({ approveItself }) => approveItself(), 'BROWSER_NOT_APPROVED'],
  ['with an invented recovery key', ({ approveItself }) => approveItself('AA'), 'RECOVERY_REFUSED'],
]

test.each(attacks)('a thief with the password does not pass for an approved browser %s', async (_way, attack, code) => {
  await using stage = await createStage()
  const { ben, thief, connectionId, approvedId, impostor } = await beginApproved(stage)
  await expect(attack(impostor)).rejects.toMatchObject({ code })
  const { browsers } = thief.client
  for (const act of [browsers.setOnlyApproved(false), browsers.remove(approvedId)])
    await expect(act).rejects.toMatchObject({ code: 'BROWSER_NOT_APPROVED' })
  expect((await keysFor(ben)).browsers).toMatchObject({ mode: { onlyApproved: true }, isApproved: true, isBound: true })
  expect(await texts(thief, connectionId)).toEqual([expect.stringMatching(/^This is from before you first used/)])
})

test('a thief with the recovery key takes the account over, and its owner is signed out', async () => {
  await using stage = await createStage()
  const { ben, connectionId } = await begin(stage)
  const ended = next(ben, 'signed_out')
  const thief = stage.tab()
  const { username, recoveryKey } = ben
  await thief.client.account.resetPassword({ username, recoveryKey, newPassword: 'chosen by the thief' })
  await meetContacts(thief)
  expect(await texts({ ...ben, ...thief }, connectionId)).toEqual(['Before'])
  expect(await ended).toEqual({ reason: 'ended' })
})

test('a recovery key from before new keys takes no account over', async () => {
  await using stage = await createStage()
  const { ben } = await begin(stage)
  const { username, recoveryKey } = ben
  await replaceKeys(ben)
  const taken = stage.tab().client.account.resetPassword({ username, recoveryKey, newPassword: 'chosen by the thief' })
  await expect(taken).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
})

test('a thief with account key, database and secret opens what is not destroyed, until new keys', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, recording, send } = await begin(stage)
  const stolenKey = await accountKeyOf(ben)
  const open = async () => textsOfThief(stage, ben, anna, recording, await stealSeeds(stage, ben, stolenKey))
  expect(await open()).toEqual(['Before'])
  await replaceKeys(ben)
  expect((await stealSeeds(stage, ben, stolenKey)).size).toBe(0)
  await accept(anna, connectionId)
  await send('After')
  expect(await open()).toEqual([])
})

test('yesterday’s backup with secret and password opens no message under new keys', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, recording, send } = await begin(stage)
  const backup = await stealSeeds(stage, ben)
  const { identityKey } = await ben.client.call(keys.getOwn, { query: {} })
  await replaceKeys(ben)
  await accept(anna, connectionId)
  await send('After')
  expect(await textsOfThief(stage, ben, anna, recording, backup, identityKey)).toEqual(['Before'])
})
