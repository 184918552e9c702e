import { account } from '@privity/contract/account'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { renewing, replaceKeys } from '../../support/scenes/keyReplacement.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const begin = () => server.signUp(undefined, { recoveryKeyUnsaved: true })
const isUnsaved = async ({ call }: Pick<Member, 'call'>) => (await call(session.getUser, {})).recoveryKeyUnsaved

test('an account says in every browser that its recovery key is unsaved, until it is confirmed', async () => {
  const member = await begin()
  const elsewhere = server.visitor()
  const signIn = { username: member.user.username, password: member.password }
  expect((await elsewhere.call(session.login, { body: signIn })).recoveryKeyUnsaved).toBe(true)
  await server.restart()
  for (const browser of [member, elsewhere]) expect(await isUnsaved(browser)).toBe(true)

  const socket = await member.socket()
  await elsewhere.call(account.confirmRecoveryKey, {})
  await socket.next('user_changed')
  for (const browser of [member, elsewhere]) expect(await isUnsaved(browser)).toBeUndefined()
  await Promise.all([member, elsewhere].map((browser) => browser.call(account.confirmRecoveryKey, {})))
  const entries = await selectAudit(
    server.core.db.read,
    `action = 'recovery_key_saved' and actor_id = '${member.user.id}'`,
  )
  expect(entries).toHaveLength(1)
})

test('it is asked of nobody else: who was not shown one, who has no keys, and other accounts', async () => {
  const [member, plain] = [await begin(), await server.signUp(undefined, { keys: false, recoveryKeyUnsaved: true })]
  const other = await server.signUp()
  for (const without of [plain, other]) expect(await isUnsaved(without)).toBeUndefined()
  await other.call(account.confirmRecoveryKey, {})
  expect(await isUnsaved(member)).toBe(true)
})

const renew = (member: Member) => member.call(account.renewRecoveryKey, { body: renewing(member) })

test('a new recovery key, and new keys, were saved before they came into force', async () => {
  for (const replace of [renew, replaceKeys]) {
    const member = await begin()
    await replace(member)
    expect(await isUnsaved(member)).toBeUndefined()
  }
})

test('whoever sets a new password with it has saved it', async () => {
  const member = await begin()
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const browser = server.visitor()
  await browser.call(recovery.start, { body: proof })
  const body = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  expect((await browser.call(recovery.finish, { body })).recoveryKeyUnsaved).toBeUndefined()
  expect(await isUnsaved(browser)).toBeUndefined()
})

test('it is confirmed before the second factor that an organization requires', async () => {
  const member = await begin()
  await setPolicy(server, { twoFactor: true })
  await member.call(account.confirmRecoveryKey, {})
  expect(await isUnsaved(member)).toBeUndefined()
})
