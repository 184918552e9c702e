import { account } from '@privity/contract/account'
import { browsers } from '@privity/contract/browsers'
import { files } from '@privity/contract/files'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makePins, random, wrapped } from '../../support/server/memberKeys.ts'
import { listBrowser, makeRemoval, signInElsewhere, switchOn } from '../../support/scenes/browsers.ts'
import { renewing, replaceKeys } from '../../support/scenes/keyReplacement.ts'
import { addPasskey, enableTotp } from '../../support/scenes/secondFactor.ts'
import { createTalk, grantFor } from '../../support/scenes/conversation.ts'
import { adminJson } from '../../support/server/adminCommand.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

const holds = async ({ dataDir }: TestServer, text: string) => (await storedBytes(dataDir)).includes(text)

/** Longest time until the next run of the retention job. */
const soon = 20_000

test('a grant is gone from the files soon after a revocation', async () => {
  await using server = await createTestServer()
  const { anna, ben, sendFile } = await createTalk(server)
  const { filePath } = await sendFile(anna)
  const { authorizationId: id = '' } = await ben.call(files.request, { body: { filePath } })
  const grant = await grantFor(server, id)
  await anna.call(files.decide, { params: { id }, body: { authorize: true, grant } })
  expect(await holds(server, grant.sealedKey)).toBe(true)
  await server.advance(soon)
  await anna.call(files.decide, { params: { id }, body: { authorize: false } })
  await server.advance(soon)
  expect(await holds(server, grant.sealedKey)).toBe(false)
  expect(await holds(server, grant.signature)).toBe(false)
})

test('the old verifier and the old wrap are gone soon after a recovery', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const stored = async () => {
    const row = await server.core.db.read.get<{ password_hash: string; wrapped_account_key: string }>(
      'select password_hash, wrapped_account_key from users where id = ?',
      [member.user.id],
    )
    return Object.values(row ?? {})
  }
  const old = await stored()
  for (const text of old) expect(await holds(server, text)).toBe(true)
  await server.advance(soon)
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof ?? '' }
  const body = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  await server.visitor().call(recovery.finish, { body })
  await server.advance(soon)
  expect(old).toHaveLength(2)
  for (const text of old) expect(await holds(server, text)).toBe(false)
  for (const text of await stored()) expect(await holds(server, text)).toBe(true)
})

test('a new password that nobody confirmed is gone soon after its time', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  await enableTotp(server, member)
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof ?? '' }
  const body = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  await server.visitor().refused(recovery.finish, { body })
  const row = await server.core.db.read.get<{ proposal: string }>('select proposal from proposed_passwords')
  const proposal = row?.proposal as string
  expect(await holds(server, proposal)).toBe(true)
  await server.advance(limits.secondFactorTime)
  await server.advance(60_000 + soon)
  expect(await holds(server, proposal)).toBe(false)
})

test.each([
  ['while a passkey stays', true],
  ['as the only factor', false],
])('the secret of an authenticator app that is removed %s is gone soon', async (_when, isOther) => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { recoveryCodes } = await enableTotp(server, member)
  const [code, other = ''] = recoveryCodes
  if (isOther) await addPasskey(server, member, { recoveryCode: code })
  const row = await server.core.db.read.get<{ secret: string }>('select secret from authenticator_apps')
  const secret = row?.secret as string
  expect(await holds(server, secret)).toBe(true)
  await server.advance(soon)
  await member.call(secondFactor.remove, {
    body: { what: 'totp', password: member.password, recoveryCode: other },
  })
  await server.advance(soon)
  expect(await holds(server, secret)).toBe(false)
})

const secretsOf = async (server: TestServer, id: string) => {
  const columns = 'password_hash, wrapped_account_key, recovery_proof_hash, recovery_wrapped_account_key'
  return server.core.db.read.get<Record<string, string>>(`select ${columns} from users where id = ?`, [id])
}

test('what a new password and a new recovery key replace is gone soon', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const old = (await secretsOf(server, member.user.id)) ?? {}
  await server.advance(soon)
  const password = 'a new one'
  const identityKey = member.keys?.identityKey as string
  await member.call(account.changePassword, {
    body: { currentPassword: member.password, newPassword: password, wrappedAccountKey: wrapped(), identityKey },
  })
  await server.advance(soon)
  await member.call(account.renewRecoveryKey, { body: { ...renewing(member), password } })
  await server.advance(soon)
  expect(Object.keys(old)).toHaveLength(4)
  for (const [column, text] of Object.entries(old)) expect(await holds(server, text), column).toBe(false)
  for (const text of Object.values((await secretsOf(server, member.user.id)) ?? {}))
    expect(await holds(server, text)).toBe(true)
})

test('data replaced by new keys is destroyed soon: every wrap, the pins and the sealed seed', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const sealed = async () =>
    server.core.db.read.get<Record<string, string>>(
      `select password_hash, wrapped_account_key, wrapped_identity_seed, recovery_proof_hash,
         recovery_wrapped_account_key, pins, wrapped_seed
       from users join epochs on user_id = id where id = ? and n = 1`,
      [member.user.id],
    )
  const old = (await sealed()) ?? {}
  await server.advance(soon)
  await replaceKeys(member)
  await server.advance(soon)
  expect(Object.keys(old)).toHaveLength(7)
  for (const [column, text] of Object.entries(old)) expect(await holds(server, text), column).toBe(false)
  for (const [column, text] of Object.entries((await sealed()) ?? {}))
    expect(await holds(server, text), column).toBe(true)
})

test('wraps are gone soon with only approved browsers, as is what was sealed to a removed one', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { browserId } = await listBrowser(await signInElsewhere(server, member))
  await listBrowser(member)
  const { read } = server.core.db
  const { id } = member.user
  const epoch = await read.get<{ wrapped_seed: string }>('select wrapped_seed from epochs where user_id = ?', [id])
  await switchOn(member)
  await server.advance(soon)
  expect(await holds(server, epoch?.wrapped_seed as string)).toBe(false)
  const seed = await read.get<{ sealed: string }>('select sealed from sealed_seeds where browser_id = ?', [browserId])
  expect(await holds(server, seed?.sealed as string)).toBe(true)
  await member.call(browsers.remove, { params: { id: browserId }, body: makeRemoval(member, browserId) })
  await server.advance(soon)
  expect(await holds(server, seed?.sealed as string)).toBe(false)
})

test('the name, the address and the keys of a deleted account are gone soon', async () => {
  await using server = await createTestServer()
  const member = await server.signUp('somebody-who-leaves')
  const { username, email, firstName } = member.user
  const texts = [username, email, firstName, ...Object.values((await secretsOf(server, member.user.id)) ?? {})]
  for (const text of texts) expect(await holds(server, text), text).toBe(true)
  await server.advance(soon)
  await member.call(account.remove, { body: { username, password: member.password } })
  await server.advance(soon)
  for (const text of texts) expect(await holds(server, text), text).toBe(false)
})

test.each([400, 20_000])('a replaced list of pins of %d bytes is gone soon', async (size) => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { version } = await member.call(keys.getPins, {})
  const old = random(size)
  await member.call(keys.putPins, { body: makePins(member.user.id, version + 1, old) })
  expect(await holds(server, old.slice(0, 300))).toBe(true)
  await server.advance(soon)
  await member.call(keys.putPins, { body: makePins(member.user.id, version + 2, random(size)) })
  await server.advance(soon)
  expect(await holds(server, old.slice(0, 300))).toBe(false)
  expect(await holds(server, old.slice(-300))).toBe(false)
})

test('the share of a session is gone once the command line has changed a role', async () => {
  await using server = await createTestServer()
  await server.signUp()
  const member = await server.signUp()
  const row = await server.core.db.read.get<{ key_share: string }>('select key_share from sessions where user_id = ?', [
    member.user.id,
  ])
  const share = row?.key_share as string
  expect(await holds(server, share)).toBe(true)
  await server.app.close()
  await adminJson(server.dataDir, ['role', 'set', member.user.username, 'org_admin'])
  expect(await holds(server, share)).toBe(false)
})
