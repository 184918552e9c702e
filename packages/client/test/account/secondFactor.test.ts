import { expect, test } from 'vitest'
import { limits } from '@privity/contract/limits'
import { setPolicy } from '../../../server/test/support/scenes/preferences.ts'
import { codeFrom } from '../../../server/test/support/scenes/secondFactor.ts'
import type { SecondFactorStep, SignInResult } from '../../src/index.ts'
import { connected, createStage, next, type Person, reaches, type Stage, texts } from '../support/stage.ts'

function waiting(result: SignInResult): SecondFactorStep {
  if (result.status !== 'secondFactor') throw new Error('signed in without a second factor')
  return result.step
}

/** Switches an authenticator app on; what it shows, from the next step on. */
async function enable(stage: Stage, { client, password }: Person) {
  const { secret } = await client.secondFactor.startTotp({ password })
  const { recoveryCodes = [] } = await client.secondFactor.confirmTotp(codeFrom(stage.server, secret))
  await stage.advance(60_000)
  return { recoveryCodes, code: () => codeFrom(stage.server, secret) }
}

test('signing in stops at the second factor, without a key, and opens with the code', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const app = await enable(stage, anna)
  const heard = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'Good morning')
  await heard

  const tab = stage.tab()
  const step = waiting(await tab.client.account.signIn(anna))
  expect(step).toMatchObject({ methods: ['totp', 'recoveryCode'], passkeysElsewhere: false })
  expect(tab.client.account.state.get().status).not.toBe('open')
  expect(JSON.stringify(tab.network.requests)).not.toContain('/api/keys')
  await expect(tab.client.connections.list()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })

  await expect(step.finish({ recoveryCode: 'AAAAA-AAAAA' })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_WRONG',
    sentence: 'That code is incorrect or has already been used.',
  })
  expect(await step.finish({ code: app.code() })).toEqual(anna.user)
  expect(tab.client.account.state.get()).toEqual({ status: 'open', user: anna.user })
  expect(await texts(tab, connectionId)).toEqual(['Good morning'])
})

test('a step that waited too long is over', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const app = await enable(stage, person)
  const step = waiting(await stage.tab().client.account.signIn(person))
  await stage.advance(limits.secondFactorTime)
  await expect(step.finish({ code: app.code() })).rejects.toMatchObject({ code: 'TICKET_INVALID' })
})

test('a password reset also stops at the second factor, and changes nothing before it', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const app = await enable(stage, person)
  const { client } = stage.tab()
  const reset = { username: person.username, recoveryKey: person.recoveryKey, newPassword: 'a wholly new one' }
  const step = waiting(await client.account.resetPassword(reset))
  expect(client.account.state.get().status).not.toBe('open')
  await expect(step.finish({ recoveryCode: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
  await person.client.connections.list()
  const before = waiting(await stage.tab().client.account.signIn(person))
  await before.finish({ code: app.code() })

  await step.finish({ recoveryCode: app.recoveryCodes[0] })
  expect(client.account.state.get().status).toBe('open')
  await expect(person.client.connections.list()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  const later = stage.tab()
  const { username } = person
  const next = waiting(await later.client.account.signIn({ username, password: reset.newPassword }))
  await next.finish({ recoveryCode: app.recoveryCodes[1] })
  expect(later.client.account.state.get().status).toBe('open')
})

test('a recovery that waited too long changes nothing', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const app = await enable(stage, person)
  const { client, device } = stage.tab()
  const { username, recoveryKey, password } = person
  const step = waiting(await client.account.resetPassword({ username, recoveryKey, newPassword: 'a wholly new one' }))
  await stage.advance(limits.secondFactorTime)
  await expect(step.finish({ code: app.code() })).rejects.toMatchObject({ code: 'TICKET_INVALID' })
  expect(client.account.state.get().status).not.toBe('open')
  expect(await device.names('keys')).toEqual([])
  await person.client.connections.list()
  const again = waiting(await client.account.signIn({ username, password }))
  await again.finish({ code: app.code() })
  expect(client.account.state.get().status).toBe('open')
})

test('a browser that has lost only its keys is not asked for the second factor', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await enable(stage, person)
  await person.device.remove('keys')
  const { client } = stage.tab(person)
  await client.account.start()
  expect(client.account.state.get().status).toBe('locked')
  await client.account.unlock(person.password)
  expect(client.account.state.get().status).toBe('open')
})

test('changes take password and second factor, and other tabs hear of them', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const app = await enable(stage, person)
  const { secondFactor } = person.client
  const { password } = person
  await expect(secondFactor.renewRecoveryCodes({ password })).rejects.toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
    details: { methods: ['totp', 'recoveryCode'] },
  })
  await expect(secondFactor.remove('everything', { password: 'not it', code: app.code() })).rejects.toMatchObject({
    code: 'WRONG_PASSWORD',
  })
  const tab = stage.tab(person)
  await tab.client.account.start()
  await connected(tab)
  const heard = next(tab, 'second_factor_changed')
  const renewed = await secondFactor.renewRecoveryCodes({ password, recoveryCode: app.recoveryCodes[0] })
  expect(renewed.recoveryCodes).toHaveLength(limits.recoveryCodes)
  await heard
  const { state } = await secondFactor.remove('everything', { password, code: app.code() })
  expect(state.on).toBe(false)
  expect(await tab.client.secondFactor.state()).toEqual(state)
  expect((await stage.tab().client.account.signIn(person)).status).toBe('open')
})

test('password, recovery key and deletion take a second factor, also after a refused one', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const app = await enable(stage, person)
  const { ownAccount } = person.client
  const { username, password, recoveryKey } = person
  const wrong = { recoveryCode: 'AAAAA-AAAAA' }
  const [needed, refused] = [{ code: 'SECOND_FACTOR_REQUIRED' }, { code: 'SECOND_FACTOR_WRONG' }]
  const newPassword = 'a wholly new password'
  const change = { currentPassword: password, newPassword }
  await expect(ownAccount.changePassword(change)).rejects.toMatchObject(needed)
  await expect(ownAccount.changePassword({ ...change, ...wrong })).rejects.toMatchObject(refused)
  await ownAccount.changePassword({ ...change, code: app.code() })

  const prepared = await ownAccount.prepareRecoveryKey(newPassword)
  await expect(prepared.activate()).rejects.toMatchObject(needed)
  await expect(prepared.activate(wrong)).rejects.toMatchObject(refused)
  const forgotten = { username, newPassword: 'one more password' }
  const stranger = stage.tab().client
  await expect(
    stranger.account.resetPassword({ ...forgotten, recoveryKey: prepared.recoveryKey }),
  ).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
  await prepared.activate({ recoveryCode: app.recoveryCodes[0] })
  await expect(stranger.account.resetPassword({ ...forgotten, recoveryKey })).rejects.toMatchObject({
    code: 'RECOVERY_REFUSED',
  })

  const remove = { username, password: newPassword }
  await expect(ownAccount.remove(remove)).rejects.toMatchObject(needed)
  await expect(ownAccount.remove({ ...remove, ...wrong })).rejects.toMatchObject(refused)
  expect(person.client.account.state.get().status).toBe('open')
  await ownAccount.remove({ ...remove, recoveryCode: app.recoveryCodes[1] })
  expect(person.client.account.state.get().status).toBe('signedOut')
})

test('new keys take the second factor last, change nothing without it, and keep the factor', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const app = await enable(stage, anna)
  const newPassword = 'a wholly new password'
  const prepared = await anna.client.ownAccount.prepareNewKeys({ currentPassword: anna.password, newPassword })
  await expect(prepared.activate()).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  const wrong = prepared.activate({ recoveryCode: 'AAAAA-AAAAA' })
  await expect(wrong).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
  expect(anna.client.account.state.get().status).toBe('open')
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await prepared.activate({ code: app.code() })
  expect((await ben.client.trust.state(connectionId)).state).toBe('changed')
  const { username } = anna
  const step = waiting(await stage.tab().client.account.signIn({ username, password: newPassword }))
  expect(step.methods).toEqual(['totp', 'recoveryCode'])
})

const requireFactor = (stage: Stage, twoFactor = true) => setPolicy(stage.server, { twoFactor })

const missing = ({ client }: Pick<Person, 'client'>) =>
  reaches(client.account.state, ({ status }) => status === 'factorMissing')

test('where a second factor is required, a sign-in leads to setting one up, and then opens', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await requireFactor(stage)
  const tab = stage.tab()
  expect(await tab.client.account.signIn(person)).toEqual({ status: 'open', user: person.user })
  expect(tab.client.account.state.get()).toEqual({ status: 'factorMissing', user: person.user })
  expect(await tab.device.names('keys')).toEqual([])
  await expect(tab.client.connections.list()).rejects.toMatchObject({ code: 'SECOND_FACTOR_MISSING' })
  await tab.client.account.resume()
  expect(tab.client.account.state.get().status).toBe('factorMissing')

  await enable(stage, { ...person, client: tab.client })
  await tab.client.account.resume()
  expect(tab.client.account.state.get()).toEqual({ status: 'open', user: person.user })
  expect(await tab.client.connections.list()).toEqual([])
})

test('a member at work is led there at once when it becomes required, and loses nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a sentence')
  await requireFactor(stage)
  await expect(anna.client.messages.list(connectionId)).rejects.toMatchObject({ code: 'SECOND_FACTOR_MISSING' })
  await missing(anna)
  expect(anna.client.live.get()).toBe('disconnected')
  await expect(anna.client.messages.send(connectionId, 'not now')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })

  await enable(stage, anna)
  await anna.client.account.resume()
  await connected(anna)
  expect(await anna.client.drafts.get(connectionId)).toBe('Half a sentence')
  await requireFactor(stage, false)
  await ben.client.account.resume()
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Here again')
  expect((await heard).body).toEqual({ kind: 'text', text: 'Here again' })
})

test('a reload, an unlocking and a sign-up end at the same place; signing out ends it', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await requireFactor(stage)
  const reloaded = stage.tab(person)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('factorMissing')
  await requireFactor(stage, false)
  await reloaded.client.account.resume()
  expect(reloaded.client.account.state.get().status).toBe('open')

  await requireFactor(stage)
  await person.device.remove('keys')
  const locked = stage.tab(person)
  await locked.client.account.start()
  await locked.client.account.unlock(person.password)
  expect(locked.client.account.state.get().status).toBe('factorMissing')

  const fresh = await stage.signUp('ben')
  await missing(fresh)
  await fresh.client.account.signOut()
  expect(fresh.client.account.state.get().status).toBe('signedOut')
  expect(await fresh.device.names('keys')).toEqual([])
})
