import { limits } from '@privity/contract/limits'
import type { OwnKeys } from '@privity/contract/keys'
import { isSeedOf, randomBytes } from '@privity/e2ee'
import { browserPublicKey, openSeed } from '@privity/e2ee/browserEntry'
import { expect, test } from 'vitest'
import type { BrowserRow } from '../../../server/src/core/database/tables/users.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, meetContacts, type Person, sentAll, type Stage, texts } from '../support/stage.ts'

test('a browser that resets the password with the recovery key is approved by it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const { username } = anna.user
  const back = { ...anna, ...stage.tab() }
  const reset = { username, recoveryKey: anna.recoveryKey, newPassword: 'another password' }
  await back.client.account.resetPassword(reset)
  await meetContacts(back)
  expect((await keysFor(back)).browsers.isApproved).toBe(true)
  expect(await texts(back, connectionId)).toEqual(['Before'])
})

test('a browser that resets the password in the default mode seals nothing to itself', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const { username } = anna.user
  const back = { ...anna, ...stage.tab() }
  const reset = { username, recoveryKey: anna.recoveryKey, newPassword: 'another password' }
  await back.client.account.resetPassword(reset)
  await browserListed(back)
  expect((await keysFor(back)).epochs.every(({ wrappedSeed, sealedSeed }) => wrappedSeed && !sealedSeed)).toBe(true)
})

/** A member with "Only approved browsers", and a second browser of theirs, which is not approved. */
async function signInElsewhere(stage: Stage): Promise<{ anna: Person; elsewhere: Person }> {
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const elsewhere = await stage.signIn(anna)
  await browserListed(elsewhere)
  return { anna, elsewhere }
}

/** Renews the entry of this browser, so that the one before it is an older one. */
async function renewEntry({ server }: Stage, { client, user, ...tab }: Person): Promise<void> {
  await server.core.db.write((tx) => tx.run('update users set publication_due = 1 where id = ?', [user.id]))
  await client.browsers.setOnlyApproved(true)
  expect((await keysFor({ client, user, ...tab })).browsers.own?.n).toBe(2)
}

test('the recovery key passes no seed on to an older entry that a dishonest server makes up', async () => {
  await using stage = await createStage()
  const { anna, elsewhere } = await signInElsewhere(stage)
  await renewEntry(stage, elsewhere)
  const kemSeed = randomBytes(32)
  const kemKey = await browserPublicKey(kemSeed)
  elsewhere.network.tampers = (request, answer) => {
    const keys = answer as OwnKeys
    if (!request.startsWith('GET /api/keys') || keys.browsers?.own === undefined) return answer
    return { ...keys, browsers: { ...keys.browsers, own: { ...keys.browsers.own, n: 1, kemKey } } }
  }
  elsewhere.network.answers = (request) => (request === 'PUT /api/browsers/own' ? Response.json({}) : undefined)
  const refused = elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  await expect(refused).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  const browserId = await browserIdOf(elsewhere, anna)
  const { epochs } = await keysFor(anna)
  const opened: number[] = []
  for (const { body } of elsewhere.network.requests.filter(({ request }) => request.endsWith('/seeds')))
    for (const { n, sealed } of JSON.parse(body).seeds) {
      const seed = await openSeed(kemSeed, { userId: anna.user.id, n, browserId }, sealed).catch(() => undefined)
      const epoch = epochs.find((each) => each.n === n)
      if (seed && epoch && (await isSeedOf(epoch, seed))) opened.push(n)
    }
  expect(opened).toEqual([])
})

test('the recovery key passes no seed on to a former entry, which a copied disk may open', async () => {
  await using stage = await createStage()
  const { anna, elsewhere } = await signInElsewhere(stage)
  const { own } = (await keysFor(elsewhere)).browsers
  await renewEntry(stage, elsewhere)
  elsewhere.network.tampers = (request, answer) => {
    const keys = answer as OwnKeys
    return request.startsWith('GET /api/keys') ? { ...keys, browsers: { ...keys.browsers, own } } : answer
  }
  elsewhere.network.answers = (request) => (request === 'PUT /api/browsers/own' ? Response.json({}) : undefined)
  const refused = elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  await expect(refused).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect(elsewhere.network.requests.some(({ request }) => request.endsWith('/seeds'))).toBe(false)
})

test('the recovery key approves a browser of which a restored backup holds an older entry', async () => {
  await using stage = await createStage()
  const { anna, elsewhere } = await signInElsewhere(stage)
  const { db } = stage.server.core
  const browserId = await browserIdOf(elsewhere, anna)
  const sql = 'select * from browsers where browser_id = ?'
  const row = (await db.read.get<BrowserRow>(sql, [browserId])) as BrowserRow
  await renewEntry(stage, elsewhere)
  await db.write(async (tx) => {
    await tx.run(
      `update browsers set n = ?, kem_key = ?, sign_key = ?, created_at = ?, signature = ?, browser_signature = ?
       where browser_id = ?`,
      [row.n, row.kem_key, row.sign_key, row.created_at, row.signature, row.browser_signature, browserId],
    )
    await tx.run('delete from browser_links where browser_id = ? and n > ?', [browserId, row.n])
  })
  await elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  const { epochs } = await keysFor(elsewhere)
  const reloaded = { ...elsewhere, ...stage.tab(elsewhere) }
  const alarms = collect(reloaded, 'alarm')
  await reloaded.client.account.start()
  expect(epochs.every(({ sealedSeed }) => sealedSeed)).toBe(true)
  expect((await keysFor(reloaded)).browsers.isApproved).toBe(true)
  expect(alarms).toEqual([])
})

test('the recovery key approves a browser that was offline during new keys, without an alarm', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const elsewhere = await stage.signIn(anna)
  await browserListed(elsewhere)
  await anna.client.browsers.setOnlyApproved(true)
  elsewhere.client.close()
  const before = await browserIdOf(elsewhere, anna)
  await replaceKeys(anna)
  await browserListed(anna)
  await stage.advance(limits.epochDuration)
  const back = { ...anna, ...stage.tab(elsewhere) }
  const alarms = [collect(back, 'alarm'), collect(anna, 'alarm')]
  await back.client.account.signIn(anna)
  await browserListed(back)
  await back.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  expect((await keysFor(back)).browsers.isApproved).toBe(true)
  expect((await anna.client.browsers.list()).browsers).toHaveLength(2)
  // New keys have forgotten it: it goes on under another id.
  expect(await browserIdOf(back, anna)).not.toBe(before)
  expect(alarms.flat()).toEqual([])
})

const day = 24 * 60 * 60 * 1000

test.each([day, -day])('a browser whose clock is %d ms ahead is approved, and makes new keys', async (ahead) => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  const elsewhere = { ...anna, ...stage.tab(undefined, { ahead }) }
  const alarms = collect(elsewhere, 'alarm')
  await elsewhere.client.account.signIn(anna)
  await browserListed(elsewhere)
  await elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  expect((await keysFor(elsewhere)).browsers.isApproved).toBe(true)
  stage.server.clock.advance(1)
  await replaceKeys(elsewhere)
  await browserListed(elsewhere)
  expect((await keysFor(elsewhere)).browsers.isApproved).toBe(true)
  expect(alarms).toEqual([])
})

/** Returns whether the recovery key approves a new browser, and the texts that the browser opens. */
async function recoverElsewhere(stage: Stage, { user, ...anna }: Person, recoveryKey: string, connectionId: string) {
  const back = { ...anna, user, ...stage.tab() }
  const { username } = user
  await back.client.account.resetPassword({ username, recoveryKey, newPassword: 'another password' })
  await meetContacts(back)
  return { isApproved: (await keysFor(back)).browsers.isApproved, texts: await texts(back, connectionId) }
}

const renewRecoveryKey = ({ client, password }: Person) => client.ownAccount.prepareRecoveryKey(password)

test('a recovery key renewed in the default mode opens what came with "Only approved browsers"', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await anna.client.browsers.setOnlyApproved(true)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  await anna.client.browsers.setOnlyApproved(false)
  const { recoveryKey, activate } = await renewRecoveryKey(anna)
  await activate()
  await anna.client.browsers.setOnlyApproved(true)
  expect(await recoverElsewhere(stage, anna, recoveryKey, connectionId)).toEqual({
    isApproved: true,
    texts: ['Before'],
  })
})

/** Anna with "Only approved browsers" in two browsers, of which `second` publishes at once. */
async function createRace(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  const second = await stage.signIn(anna)
  await browserListed(second)
  await anna.client.browsers.setOnlyApproved(true)
  async function publish(): Promise<void> {
    const sql = 'update users set publication_due = 1 where id = ?'
    await stage.server.core.db.write((tx) => tx.run(sql, [anna.user.id]))
    await second.client.browsers.setOnlyApproved(true)
  }
  /** Holds back the answer of the load with this number: `asked` resolves when it is asked for. */
  function holdKeys({ network }: Person, load: number) {
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let loads = 0
    network.watches = (request) => {
      if (request !== 'GET /api/keys' || (loads += 1) !== load) return undefined
      asked.resolve()
      return goOn.promise
    }
    return { asked: asked.promise, goOn: goOn.resolve }
  }
  /** Recovers with this key, after one more message. */
  async function recoverLater(recoveryKey: string) {
    await ben.client.messages.send(connectionId, 'After')
    await sentAll(ben)
    return recoverElsewhere(stage, anna, recoveryKey, connectionId)
  }
  return { anna, second, publish, holdKeys, recoverLater }
}

const opened = { isApproved: true, texts: ['After'] }

test('a recovery key that is renewed during a publication opens what is published', async () => {
  await using stage = await createStage()
  const { anna, second, publish, holdKeys, recoverLater } = await createRace(stage)
  // The first load is for the mode, the second for the publication.
  const { asked, goOn } = holdKeys(second, 2)
  const publishing = publish()
  await asked
  const { recoveryKey, activate } = await renewRecoveryKey(anna)
  await activate()
  goOn()
  await publishing
  expect(await recoverLater(recoveryKey)).toEqual(opened)
})

test('a recovery key opens what another browser publishes during its renewal', async () => {
  await using stage = await createStage()
  const { anna, publish, holdKeys, recoverLater } = await createRace(stage)
  const { recoveryKey, activate } = await renewRecoveryKey(anna)
  const { asked, goOn } = holdKeys(anna, 1)
  const activating = activate()
  await asked
  await publish()
  goOn()
  await activating
  expect(await recoverLater(recoveryKey)).toEqual(opened)
})
