import { expect, test } from 'vitest'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import {
  collect,
  connected,
  createStage,
  next,
  type Person,
  reaches,
  reconnected,
  sentAll,
  texts,
  textOf,
  meetContacts,
} from '../../support/stage.ts'
import { approve, download, report, share } from '../../support/fileSharing.ts'
import { accept, markVerified, newPassword, replaceKeys } from '../../support/keyRotation.ts'

async function say(from: Person, to: Person, connectionId: string, text: string): Promise<string> {
  const heard = next(to, 'message')
  await from.client.messages.send(connectionId, text)
  return textOf(await heard)
}

test('contacts see a rotation once, old messages stay readable, and new keys are used', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await markVerified(anna, connectionId)
  await markVerified(ben, connectionId)
  await say(anna, ben, connectionId, 'From Anna, before')
  await say(ben, anna, connectionId, 'From Ben, before')
  const before = await ben.client.trust.state(connectionId)
  const other = await stage.signIn(anna)
  await connected(other)
  const [ended, told, alarms] = [next(other, 'signed_out'), next(ben, 'trust_changed'), collect(anna, 'alarm')]
  const notices = collect(ben, 'notification')

  await replaceKeys(anna)
  expect(await ended).toEqual({ reason: 'ended' })
  expect(await other.device.names('keys')).toEqual([])
  await told
  const noticed = next(ben, 'notification')
  expect((await ben.client.trust.states()).get(connectionId)).toBe('changed')
  expect((await ben.client.trust.state(connectionId)).safetyNumber).not.toBe(before.safetyNumber)
  expect(await noticed).toMatchObject({ kind: 'key_changed', connectionId })
  // Verified was what is not true any more, on both sides: both compare again.
  expect((await anna.client.trust.state(connectionId)).state).toBe('unverified')

  await reconnected(stage, anna)
  const stopped = reaches(ben.client.outbox, ([item]) => item?.state === 'failed')
  const { id } = await ben.client.messages.send(connectionId, 'From Ben, written before accepting')
  expect((await stopped)[0]?.error).toMatch(/encryption key has changed/)
  await accept(ben, connectionId)
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  const heard = next(anna, 'message')
  await ben.client.messages.retry(id)
  expect(textOf(await heard)).toBe('From Ben, written before accepting')
  expect(await say(anna, ben, connectionId, 'From Anna, after')).toBe('From Anna, after')

  const all = ['From Anna, before', 'From Ben, before', 'From Ben, written before accepting', 'From Anna, after']
  const fresh = await stage.signIn(anna)
  for (const tab of [anna, ben, fresh]) expect(await texts(tab, connectionId)).toEqual(all)
  const shown = await ben.client.messages.list(connectionId)
  expect(shown.map(({ earlierKey }) => earlierKey)).toEqual([true, undefined, undefined, undefined])
  expect(notices.filter(({ kind }) => kind === 'key_changed')).toHaveLength(1)
  expect(alarms).toEqual([])
})

test('a message under way to the old keys is sealed to the new ones, also from an offline outbox', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await say(ben, anna, connectionId, 'The first')
  // It left sealed to the old epoch, and its answer and the server were lost.
  ben.network.offline = true
  await ben.client.messages.send(connectionId, 'Written offline')
  await replaceKeys(anna)
  const failed = reaches(ben.client.outbox, ([item]) => item?.state === 'failed')
  ben.network.offline = false
  await reconnected(stage, ben)
  const [item] = await failed
  await accept(ben, connectionId)
  await reconnected(stage, anna)
  const heard = next(anna, 'message')
  await ben.client.messages.retry(item?.id as string)
  expect(textOf(await heard)).toBe('Written offline')
  await sentAll(ben)
  expect(await texts(await stage.signIn(anna), connectionId)).toEqual(['The first', 'Written offline'])
})

test('unsent messages and drafts of another browser survive until it has the new password', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const other = await stage.signIn(anna)
  await meetContacts(other)
  await connected(other)
  await other.client.drafts.set(connectionId, 'A thought')
  other.network.offline = true
  await other.client.messages.send(connectionId, 'Written on the train')
  await replaceKeys(anna)
  const ended = next(other, 'signed_out')
  other.network.offline = false
  await stage.advance(40_000)
  await ended
  await accept(ben, connectionId)

  const alarms = collect(other, 'alarm')
  const heard = next(ben, 'message')
  await other.client.account.signIn(anna)
  expect(textOf(await heard)).toBe('Written on the train')
  expect(await other.client.drafts.get(connectionId)).toBe('A thought')
  expect(alarms).toEqual([])
})

test('own files still open, authorizations count, and pending requests can be decided', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const mine = await share(anna, ben, connectionId, report())
  const approved = await share(anna, ben, connectionId, report())
  const bens = await share(ben, anna, connectionId, report())
  await approve(anna, ben, approved)
  await approve(ben, anna, bens)
  const asked = next(anna, 'authorization_requested')
  await ben.client.files.request(mine)
  await asked
  const later = await share(ben, anna, connectionId, report())
  await anna.client.files.request(later)

  await replaceKeys(anna)
  await accept(ben, connectionId)
  const [request] = await anna.client.files.pending()
  expect(request?.name).toBe('Report – final.pdf')
  await anna.client.files.decide(request as NonNullable<typeof request>, true)
  const [waiting] = await ben.client.files.pending()
  await ben.client.files.decide(waiting as NonNullable<typeof waiting>, true)
  const own = (await anna.client.messages.list(connectionId)).find(({ id }) => id === mine.id) as typeof mine
  const done: [Person, typeof mine][] = [
    [anna, own],
    [anna, bens],
    [anna, later],
    [ben, mine],
    [ben, approved],
  ]
  for (const [person, message] of done) {
    const { transfer, saved } = await download(person, message)
    expect([transfer.phase, transfer.error]).toEqual(['done', undefined])
    expect(saved[0]?.bytes).toHaveLength(2_500_000)
  }
})

test('the old recovery key is refused; the new one opens everything', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await say(ben, anna, connectionId, 'Before')
  const { username, recoveryKey: old } = anna
  await replaceKeys(anna)
  const reset = (recoveryKey: string) =>
    stage.tab().client.account.resetPassword({ username, recoveryKey, newPassword: 'one more password' })
  await expect(reset(old)).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
  const { client } = stage.tab()
  await client.account.resetPassword({ username, recoveryKey: anna.recoveryKey, newPassword: 'one more password' })
  expect((await client.messages.list(connectionId)).map(textOf)).toEqual(['Before'])
})

test('until it is activated everything is as it was, and a wrong password is refused before', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const options = { currentPassword: anna.password, newPassword }
  const wrong = anna.client.ownAccount.prepareNewKeys({ ...options, currentPassword: 'a guess' })
  await expect(wrong).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await anna.client.ownAccount.prepareNewKeys(options)
  expect((await ben.client.trust.state(connectionId)).state).toBe('unverified')
  await stage.signIn(anna)
  const { client } = stage.tab()
  const { username, recoveryKey } = anna
  await client.account.resetPassword({ username, recoveryKey, newPassword: 'another one' })
})

test('twice within a day, every message is still read, and after a day the first keys are gone', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await say(ben, anna, connectionId, 'First')
  await replaceKeys(anna)
  await accept(ben, connectionId)
  await reconnected(stage, anna)
  await say(ben, anna, connectionId, 'Second')
  await replaceKeys(anna, 'the third password')
  await accept(ben, connectionId)
  await reconnected(stage, anna)
  await say(ben, anna, connectionId, 'Third')
  const fresh = await stage.signIn(anna)
  for (const tab of [anna, ben, fresh]) expect(await texts(tab, connectionId)).toEqual(['First', 'Second', 'Third'])
  await stage.advance(limits.retention)
  const later = await stage.signIn(anna)
  expect(await texts(later, connectionId)).toEqual([])
})

test('what was sent between two replacements is not taken for a forgery, and a forgery is', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const reasons = async () =>
    (await anna.client.messages.list(connectionId)).map(({ body }) =>
      body.kind === 'unreadable' ? body.reason.code : body.kind,
    )
  await say(ben, anna, connectionId, 'Under the first keys')
  await replaceKeys(ben)
  await reconnected(stage, ben)
  await say(ben, anna, connectionId, 'In between')
  await replaceKeys(ben, 'the third password')
  await stage.advance(1_000)
  await accept(anna, connectionId)
  await reconnected(stage, ben)
  await say(ben, anna, connectionId, 'Under the third keys')
  expect(await reasons()).toEqual(['text', 'MESSAGE_BETWEEN_KEYS', 'text'])

  // Signed with a key that nobody has accepted, after the last one was.
  await replaceKeys(ben, 'the fourth password')
  await reconnected(stage, ben)
  await say(ben, anna, connectionId, 'Under the fourth keys')
  expect(await reasons()).toEqual(['text', 'MESSAGE_BETWEEN_KEYS', 'text', 'MESSAGE_SIGNATURE'])
})

test('a browser that was away for a week signs in without an alarm, and goes on where it was', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const other = await stage.signIn(anna)
  await other.client.trust.state(connectionId)
  await other.client.account.signOut()
  await replaceKeys(anna)
  await replaceKeys(anna, 'the third password')
  await stage.advance(7 * limits.retention)
  const alarms = collect(other, 'alarm')
  await other.client.account.signIn(anna)
  await ben.client.account.signIn(ben)
  await connected(ben)
  await accept(ben, connectionId)
  await meetContacts(other)
  expect(await say(other, ben, connectionId, 'Back again')).toBe('Back again')
  expect(alarms).toEqual([])
})

test('a browser that has seen the new keys detects a server that returns the old ones', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  const { db } = stage.server.core
  type Row = Record<string, string | number | null>
  const read = async (table: string, by: string) =>
    (await db.read.all<Row>(`select * from ${table} where ${by} = ? order by 1, 2`, [anna.user.id]))[0] as Row
  const [user, epoch] = [await read('users', 'id'), await read('epochs', 'user_id')]
  const { password } = anna
  await replaceKeys(anna)
  const other = await stage.signIn(anna)
  await other.client.account.signOut()

  await db.write(async (tx) => {
    await tx.run('delete from epochs where user_id = ?', [anna.user.id])
    const values = Object.keys(epoch).map(() => '?')
    await tx.run(`insert into epochs (${Object.keys(epoch).join()}) values (${values.join()})`, Object.values(epoch))
    const set = Object.keys(user).map((column) => `${column} = ?`)
    await tx.run(`update users set ${set.join()} where id = ?`, [...Object.values(user), anna.user.id])
  })
  const alarms = collect(other, 'alarm')
  // With the new password nothing opens; whoever goes back to the old one is warned.
  await expect(other.client.account.signIn(anna)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  await expect(other.client.account.signIn({ ...anna, password })).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect(alarms).toHaveLength(1)
})

test('new keys are refused under the old password before the server is asked', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const same = { currentPassword: anna.password, newPassword: anna.password }
  await expect(anna.client.ownAccount.prepareNewKeys(same)).rejects.toMatchObject({ code: 'PASSWORD_UNCHANGED' })
  expect(anna.network.requests.filter(({ request }) => request.includes('/api/account/'))).toEqual([])
})

test('keys from before that are given to a fresh browser do not open with the new password', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const before = await anna.client.call(keys.getOwn, { query: {} })
  await replaceKeys(anna)
  const fresh = stage.tab()
  fresh.network.tampers = (request, answer) => (request === 'GET /api/keys' ? before : answer)
  await expect(fresh.client.account.signIn(anna)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
})
