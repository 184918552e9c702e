import { browsers as contract } from '@privity/contract/browsers'
import type { OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { setPolicy } from '../../../server/test/support/scenes/preferences.ts'
import { seenPrefix } from '../../src/device/storageNames.ts'
import { readLastSeen } from '../../src/keys/rollback.ts'
import { browserIdOf, browserListed, keysFor } from '../support/browsers.ts'
import { newPassword, replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, meetContacts, next, type Person, sentAll, texts } from '../support/stage.ts'

const beforeApproval = expect.stringMatching(/^This is from before you first used this browser, which is not approved/)

async function switchOn(person: Person): Promise<void> {
  await browserListed(person)
  await person.client.browsers.setOnlyApproved(true)
}

test('every browser is listed when it opens the account, and bound to each of its sessions', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await browserListed(anna)
  const elsewhere = await stage.signIn(anna)
  await browserListed(elsewhere)
  const ids = [await browserIdOf(elsewhere, anna), await browserIdOf(anna, anna)]
  const { browsers: shown, onlyApproved } = await elsewhere.client.browsers.list()
  expect(onlyApproved).toBe(false)
  expect(shown.map(({ entry, isCurrent }) => [entry.browserId, isCurrent])).toEqual([
    [ids[0], true],
    [ids[1], false],
  ])
  const again = stage.tab(anna)
  await again.client.account.signIn(anna)
  await browserListed({ ...anna, ...again })
  expect((await again.client.browsers.list()).browsers).toHaveLength(2)
})

test('with only approved browsers the account key opens no seed, and messages go on', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  await switchOn(anna)
  const { epochs, browsers } = await keysFor(anna)
  expect(browsers).toMatchObject({ mode: { onlyApproved: true }, isPublicationDue: false })
  expect(epochs.every(({ wrappedSeed, sealedSeed }) => wrappedSeed === undefined && sealedSeed)).toBe(true)
  await ben.client.messages.send(connectionId, 'After')
  await sentAll(ben)
  expect(await texts(anna, connectionId)).toEqual(['Before', 'After'])
  // After a reload nothing is held but what is sealed to this browser.
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(await texts(reloaded, connectionId)).toEqual(['Before', 'After'])
})

test('a new browser sees nothing from before until the recovery key approves it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await switchOn(anna)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await browserListed(elsewhere)
  const told = collect(elsewhere, 'alarm')
  await ben.client.trust.state(connectionId)
  await elsewhere.client.messages.send(connectionId, 'From the new browser')
  await sentAll(elsewhere)
  await ben.client.messages.send(connectionId, 'After')
  await sentAll(ben)
  expect(await texts(elsewhere, connectionId)).toEqual([beforeApproval, 'From the new browser', 'After'])
  const listedAnew = next(elsewhere, 'resync')
  await elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  await listedAnew
  expect(await texts(elsewhere, connectionId)).toEqual(['Before', 'From the new browser', 'After'])
  expect(told).toEqual([])
})

test('a removed browser is signed out, and opens nothing with what it kept', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await browserListed(elsewhere)
  await switchOn(anna)
  await anna.client.browsers.remove(await browserIdOf(elsewhere, anna))
  await expect.poll(() => elsewhere.client.account.state.get().status).toBe('signedOut')
  await ben.client.messages.send(connectionId, 'After')
  await sentAll(ben)
  const back = stage.tab(elsewhere)
  await back.client.account.signIn(anna)
  await meetContacts(back)
  expect(await texts(back, connectionId)).toEqual([beforeApproval])
})

test('new keys leave this browser approved alone, and every message readable', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await browserListed(anna)
  await browserListed(await stage.signIn(anna))
  await switchOn(anna)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  await replaceKeys(anna)
  await browserListed(anna)
  expect(anna.password).toBe(newPassword)
  expect((await keysFor(anna)).browsers).toMatchObject({ mode: { onlyApproved: true } })
  expect((await anna.client.browsers.list()).browsers).toHaveLength(1)
  expect(await texts(anna, connectionId)).toEqual(['Before'])
  expect((await keysFor(anna)).epochs.some(({ wrappedSeed }) => wrappedSeed !== undefined)).toBe(false)
  const elsewhere = await stage.signIn(anna)
  await browserListed(elsewhere)
  await elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  expect((await elsewhere.client.call(contract.listRecoverySeeds, {})).length).toBeGreaterThan(1)
})

test('a new recovery key approves a browser, and the one before it does not', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await switchOn(anna)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const { recoveryKey, activate } = await anna.client.ownAccount.prepareRecoveryKey(anna.password)
  await activate()
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await browserListed(elsewhere)
  const former = elsewhere.client.browsers.openWithRecoveryKey(anna.recoveryKey)
  await expect(former).rejects.toMatchObject({ code: 'RECOVERY_KEY_WRONG' })
  expect(await texts(elsewhere, connectionId)).toEqual([beforeApproval])
  await elsewhere.client.browsers.openWithRecoveryKey(recoveryKey)
  const reloaded = stage.tab(elsewhere)
  await reloaded.client.account.start()
  expect(await texts(reloaded, connectionId)).toEqual(['Before'])
})

test('a browser that is not approved makes no recovery key and does not switch the mode off', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await switchOn(anna)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  await browserListed(elsewhere)
  const refused = { code: 'BROWSER_NOT_APPROVED' }
  const { ownAccount, browsers } = elsewhere.client
  await expect(ownAccount.prepareRecoveryKey(anna.password)).rejects.toMatchObject(refused)
  await expect(browsers.setOnlyApproved(false)).rejects.toMatchObject(refused)
  await expect(browsers.remove(await browserIdOf(anna, anna))).rejects.toMatchObject(refused)
  // The recovery key on paper still opens everything.
  await browsers.openWithRecoveryKey(anna.recoveryKey)
  expect(await texts(elsewhere, connectionId)).toEqual(['Before'])
  await browsers.setOnlyApproved(false)
  const third = await stage.signIn(anna)
  await meetContacts(third)
  expect(await texts(third, connectionId)).toEqual(['Before'])
})

test('with only approved browsers a day of epochs passes, and the entry is renewed each time', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await switchOn(anna)
  const kemKeys = new Set<string | undefined>()
  // Browsers look once a minute for epochs that are missing.
  async function aMinuteLater(): Promise<number> {
    await stage.advance(60_000)
    const { epochs } = await keysFor(anna)
    return (epochs.at(-1)?.endsAt ?? 0) - stage.server.clock.now()
  }
  for (let part = 0; part < 3; part++) {
    await stage.advance(limits.epochDuration)
    await expect.poll(aMinuteLater).toBeGreaterThan((limits.epochsAhead - 1) * limits.epochDuration)
    kemKeys.add((await keysFor(anna)).browsers.own?.kemKey)
  }
  expect(kemKeys.size).toBe(3)
  await ben.client.messages.send(connectionId, 'A day later')
  await sentAll(ben)
  expect(await texts(anna, connectionId)).toEqual(['A day later'])
})

test('switched off, the account key opens every seed that this browser held', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await switchOn(anna)
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  await anna.client.browsers.setOnlyApproved(false)
  const elsewhere = await stage.signIn(anna)
  await meetContacts(elsewhere)
  expect(await texts(elsewhere, connectionId)).toEqual(['Before'])
})

test('a server that shows the default mode again gets no wrapped seed, and is found out', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await switchOn(anna)
  const alarms = collect(anna, 'alarm')
  const reloaded = stage.tab(anna)
  const told = collect(reloaded, 'alarm')
  reloaded.network.tampers = (request, answer) => {
    const keys = answer as OwnKeys
    const mode = { onlyApproved: false, n: 0 }
    return request === 'GET /api/keys' ? { ...keys, browsers: { ...keys.browsers, mode } } : answer
  }
  await reloaded.client.account.start()
  await stage.advance(limits.epochDuration)
  await stage.advance(60_000)
  await expect.poll(() => told.map(({ code }) => code)).toEqual(['BROWSER_MODE_OLDER'])
  const { epochs, browsers } = await keysFor(anna)
  expect(epochs.some(({ wrappedSeed }) => wrappedSeed !== undefined)).toBe(false)
  expect(browsers.mode.onlyApproved).toBe(true)
  expect(alarms).toEqual([])
})

test('after a restored backup the browser applies the mode again that was chosen last', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await switchOn(anna)
  const { mode } = (await keysFor(anna)).browsers
  await stage.server.core.db.write((tx) =>
    tx.run('update users set only_approved = 0, mode_changes = 0, mode_signature = null where id = ?', [anna.user.id]),
  )
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  await expect
    .poll(async () => (await keysFor(anna)).browsers.mode)
    .toMatchObject({ onlyApproved: true, n: mode.n + 1 })
})

test('a number that stands for two modes after a restored backup locks nobody out', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await switchOn(anna)
  const { mode } = (await keysFor(anna)).browsers
  const seen = await readLastSeen(anna.device, anna.user.id)
  await anna.device.set(seenPrefix(anna.user.id), { ...seen, mode: { ...mode, onlyApproved: false } })
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(await reloaded.client.isOnlyApproved()).toBe(true)
})

test('a mode that the identity has not signed locks the account before anything is published', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await switchOn(anna)
  const reloaded = stage.tab(anna)
  reloaded.network.tampers = (request, answer) => {
    const keys = answer as OwnKeys
    const mode = { ...keys.browsers?.mode, onlyApproved: false, n: 7 }
    return request === 'GET /api/keys' ? { ...keys, browsers: { ...keys.browsers, mode } } : answer
  }
  await expect(reloaded.client.account.start()).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
})

test('browsers switch the mode on by themselves where the organization requires it', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await Promise.all([browserListed(anna), browserListed(ben)])
  await ben.client.messages.send(connectionId, 'Before')
  await sentAll(ben)
  await setPolicy(stage.server, { onlyApprovedBrowsers: true })
  for (const person of [anna, ben])
    await expect
      .poll(async () => {
        await stage.advance(60_000)
        return (await person.client.browsers.list()).onlyApproved
      })
      .toBe(true)
  expect((await keysFor(ben)).epochs.some(({ wrappedSeed }) => wrappedSeed !== undefined)).toBe(false)
  await expect(ben.client.browsers.setOnlyApproved(false)).rejects.toMatchObject({ code: 'MODE_REQUIRED' })
  expect(await texts(anna, connectionId)).toEqual(['Before'])
})

test('new keys sign no mode, and wrap no seed, because the server shows a forged mode', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await switchOn(anna)
  anna.network.tampers = (request, answer) => {
    const keys = answer as OwnKeys
    const mode = { ...keys.browsers?.mode, onlyApproved: false, n: 7 }
    return request === 'GET /api/keys' ? { ...keys, browsers: { ...keys.browsers, mode } } : answer
  }
  await expect(replaceKeys(anna)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect(anna.network.requests.filter(({ body }) => body.includes('"replacement"'))).toEqual([])
})
