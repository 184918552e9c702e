import { expect, test } from 'vitest'
import { account } from '@privity/contract/account'
import { keys, type OwnKeys } from '@privity/contract/keys'
import { collect, connected, createStage, next, reaches, texts } from '../support/stage.ts'

test('a saved profile is the one of every tab, and the contact sees it at once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  const [told, seen] = [next(tab, 'user_changed'), next(ben, 'party_changed')]
  const profile = { firstName: 'Änne', lastName: 'Berg', email: 'Berg@Example.com' }
  const saved = { ...anna.user, ...profile, email: 'berg@example.com' }
  const { password } = anna
  expect(await anna.client.ownAccount.updateProfile(profile, { password })).toEqual(saved)
  expect(anna.client.account.state.get()).toEqual({ status: 'open', user: saved })
  await told
  expect(await seen).toMatchObject({ connectionId, party: { id: anna.user.id, firstName: 'Änne' } })
})

test('a new password signs in, the old one does not, and other browsers are signed out', async () => {
  await using stage = await createStage({ slowPasswords: true })
  const { anna, ben, connectionId } = await stage.pair()
  const other = await stage.signIn(anna)
  await connected(other)
  const ended = next(other, 'signed_out')
  const currentPassword = anna.password
  await anna.client.ownAccount.changePassword({ currentPassword, newPassword: 'another good password' })
  expect(await ended).toEqual({ reason: 'ended' })
  expect(await other.device.names('keys')).toEqual([])
  expect(anna.client.account.state.get().status).toBe('open')

  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Sent after the change')
  await heard
  const fresh = stage.tab()
  await expect(fresh.client.account.signIn(anna)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  await fresh.client.account.signIn({ username: anna.username, password: 'another good password' })
  expect(await texts(fresh, connectionId)).toEqual(['Sent after the change'])
})

test('the password that is sent is derived, old and new, and so is that of every other form', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const newPassword = 'a brand new password'
  await anna.client.ownAccount.changePassword({ currentPassword: anna.password, newPassword })
  const { activate } = await anna.client.ownAccount.prepareRecoveryKey(newPassword)
  await activate()
  await anna.client.ownAccount.remove({ username: anna.username, password: newPassword })
  for (const { request, body } of anna.network.requests) {
    expect(body, request).not.toContain(newPassword)
    expect(body, request).not.toContain(anna.password)
  }
  expect(anna.network.requests.map(({ request }) => request)).toContain('POST /api/account/deletion')
})

test('a wrong current password is said so, counted by the server, and changes nothing', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const { ownAccount } = anna.client
  const wrong = { currentPassword: 'a guess', newPassword: 'another good password' }
  for (let at = 0; at < 5; at++) {
    await expect(ownAccount.changePassword(wrong)).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
      sentence: 'Incorrect password.',
    })
  }
  await expect(ownAccount.changePassword(wrong)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
  await expect(ownAccount.prepareRecoveryKey(anna.password)).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' })
  expect(anna.client.account.state.get().status).toBe('open')
  const elsewhere = stage.tab()
  await elsewhere.client.account.signIn(anna)
})

test('a wrapped key that the right password does not open alerts, and is no wrong password', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const { wrappedAccountKey } = await ben.client.call(keys.getOwn, { query: {} })
  const alarmed = next(anna, 'alarm')
  anna.network.tampers = (request, answer) =>
    request === 'GET /api/keys' ? { ...(answer as OwnKeys), wrappedAccountKey } : answer
  const change = { currentPassword: anna.password, newPassword: 'another good password' }
  await expect(anna.client.ownAccount.changePassword(change)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect((await alarmed).sentence).toMatch(/different encryption keys/)
  expect(anna.network.requests.map(({ request }) => request)).not.toContain('PUT /api/account/password')
})

test('the old recovery key works until the new one is activated, and not after that', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const { recoveryKey, activate } = await anna.client.ownAccount.prepareRecoveryKey(anna.password)
  expect(recoveryKey.split('-')).toHaveLength(13)
  const reset = (key: string, newPassword: string) =>
    stage.tab().client.account.resetPassword({ username: anna.username, recoveryKey: key, newPassword })
  await expect(reset(recoveryKey, 'too early')).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
  await activate()
  await expect(reset(anna.recoveryKey, 'with the old one')).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
  const result = await reset(recoveryKey, 'with the new one')
  expect(result).toMatchObject({ status: 'open', user: { id: anna.user.id } })
})

test('a recovery key that was prepared before the password changed does not come into force', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const { activate } = await anna.client.ownAccount.prepareRecoveryKey(anna.password)
  const newPassword = 'another good password'
  await anna.client.ownAccount.changePassword({ currentPassword: anna.password, newPassword })
  await expect(activate()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
})

test('a recovery key prepared before a key rotation cannot be activated with any password', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab(anna)
  await tab.client.account.start()
  const { activate } = await anna.client.ownAccount.prepareRecoveryKey(anna.password)
  const newPassword = 'another good password'
  const fresh = await tab.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  await fresh.activate()
  await tab.client.ownAccount.changePassword({ currentPassword: newPassword, newPassword: anna.password })
  await expect(activate()).rejects.toMatchObject({ code: 'STALE_VERSION' })
  await stage.signIn(anna)
  const { recoveryKey } = fresh
  const reset = { username: anna.username, recoveryKey, newPassword: 'with the recovery key' }
  expect(await stage.tab().client.account.resetPassword(reset)).toMatchObject({ status: 'open' })
})

test('a password change during a key rotation is refused, and the new password opens', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const tab = stage.tab(anna)
  await tab.client.account.start()
  const other = 'the password of the new keys'
  const fresh = await tab.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword: other })
  let replacing: Promise<void> | undefined
  anna.network.watches = async (request) => {
    if (request === 'GET /api/keys') await (replacing ??= fresh.activate())
  }
  const newPassword = 'another good password'
  const change = anna.client.ownAccount.changePassword({ currentPassword: anna.password, newPassword })
  await expect(change).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await replacing
  const again = stage.tab()
  await again.client.account.signIn({ username: anna.username, password: other })
  expect(again.client.account.state.get().status).toBe('open')
})

test('a password change whose response is lost succeeds at once or on retry', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const newPassword = 'another good password'
  const { ownAccount } = anna.client
  const change = (to: string, from = anna.password) =>
    ownAccount.changePassword({ currentPassword: from, newPassword: to })
  const { network } = anna
  network.loses = (request) => request === 'PUT /api/account/password'
  await change(newPassword)

  // Nor can it be found out for now.
  network.loses = (request) => {
    if (request === 'PUT /api/account/password') network.offline = true
    return network.offline
  }
  await expect(change('the third one', newPassword)).rejects.toMatchObject({ code: 'OFFLINE' })
  network.loses = () => false
  network.offline = false
  for (let at = 0; at < 6; at++) await change('the third one', newPassword)
  const failed = await stage.server.core.db.read.all(
    "select id from security_events where user_id = ? and event_type = 'failed_password_check'",
    [anna.user.id],
  )
  expect(failed).toEqual([])
  const again = stage.tab()
  await again.client.account.signIn({ username: anna.username, password: 'the third one' })
  expect(again.client.account.state.get().status).toBe('open')
})

test('sessions are listed, told when they change, and ended one by one or all others at once', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await connected(anna)
  const { ownAccount } = anna.client
  const told = next(anna, 'sessions_changed')
  const [second, third, fourth] = [await stage.signIn(anna), await stage.signIn(anna), await stage.signIn(anna)]
  await told
  const sessions = await ownAccount.sessions()
  expect(sessions.map(({ current }) => current).filter(Boolean)).toHaveLength(1)
  expect(sessions).toHaveLength(4)
  const mine = await second.client.ownAccount.sessions()
  const id = mine.find(({ current }) => current)?.id as string
  const ended = next(second, 'signed_out')
  await ownAccount.endSession(id)
  expect(await ended).toEqual({ reason: 'ended' })
  await ownAccount.endSession(id)
  const others = [next(third, 'signed_out'), next(fourth, 'signed_out')]
  expect(await ownAccount.endOtherSessions()).toBe(2)
  await Promise.all(others)
  expect(await ownAccount.sessions()).toMatchObject([{ current: true }])
})

test('keys published while an account is deleted leave nothing on its device', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const published = () => anna.network.requests.filter(({ request }) => request === 'POST /api/keys/epochs').length
  await expect.poll(async () => (await anna.client.call(keys.getOwn, { query: {} })).epochs.length).toBe(21)
  const before = published()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  // The first publication is stored; its answer may still be on the way.
  const isNext = (request: string) => request === 'POST /api/keys/epochs' && published() > before
  anna.network.watches = (request) => (isNext(request) ? held : undefined)
  await stage.advance(9 * 60 * 60 * 1000)
  const publishedSoon = async () => {
    await stage.advance(60_000)
    return published()
  }
  await expect.poll(publishedSoon).toBe(before + 1)
  await anna.client.ownAccount.remove({ username: anna.username, password: anna.password })
  release()
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(await anna.device.names('')).toEqual([])
})

test('a deleted account is gone in every tab and browser, from this device, and for its contact', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  const tab = stage.tab(anna)
  await tab.client.account.start()
  const other = await stage.signIn(anna)
  await Promise.all([connected(tab), connected(other)])
  const [removed, ended] = [next(ben, 'connection_removed'), next(other, 'signed_out')]
  const told = collect(anna, 'signed_out')
  await anna.client.ownAccount.remove({ username: anna.username, password: anna.password })
  expect(anna.client.account.state.get()).toEqual({ status: 'signedOut' })
  expect(await removed).toEqual({ connectionId })
  expect(await ended).toEqual({ reason: 'ended' })
  await reaches(tab.client.account.state, ({ status }) => status === 'signedOut')
  expect(await anna.device.names('')).toEqual([])
  // A member who deletes their account is not told that the session was ended.
  expect(told).toEqual([])
  const again = stage.tab(anna)
  await again.client.account.start()
  expect(again.client.account.state.get()).toEqual({ status: 'signedOut' })
  await expect(again.client.account.signIn(anna)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
})

test('a deletion that is refused leaves everything as it was', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const { ownAccount, account: own } = anna.client
  const refused = ownAccount.remove({ username: anna.username, password: 'a guess' })
  await expect(refused).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  const named = ownAccount.remove({ username: 'somebody', password: anna.password })
  await expect(named).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(own.state.get()).toEqual({ status: 'open', user: anna.user })
  expect(await anna.client.call(account.overview, {})).toMatchObject({ organization: {} })
})

test('a deletion whose answer was lost shows as the end of the session', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  await connected(anna)
  anna.network.loses = (request) => request === 'POST /api/account/deletion'
  const deletion = anna.client.ownAccount.remove({ username: anna.username, password: anna.password })
  await expect(deletion).rejects.toMatchObject({ code: 'OFFLINE' })
  await reaches(anna.client.account.state, ({ status }) => status === 'signedOut')
})
