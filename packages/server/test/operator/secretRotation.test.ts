import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keys } from '@privity/contract/keys'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { support } from '@privity/contract/support'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { nextSecretPath } from '../../src/core/secrets/rotation.ts'
import { createSecrets, readOrCreateSecret } from '../../src/core/secrets/secrets.ts'
import { openOperator, type Operator } from '../../src/operator/operator.ts'
import { reseal, rotateSecret } from '../../src/operator/secretRotation.ts'
import { createTestServer, type Member, type TestServer } from '../support/server/testServer.ts'
import { exportOf, verify } from '../support/scenes/organizationExport.ts'
import { compiledEnv } from '../support/server/compileCache.ts'
import { runAdmin } from '../support/server/adminCommand.ts'
import { join as joinOrganization } from '../support/scenes/organization.ts'
import { sealedPlaces } from '../support/database/encryptedValues.ts'
import { enableTotp, enterPassword } from '../support/scenes/secondFactor.ts'
import { databaseEnv } from '../support/database/testDatabase.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeEach(async () => {
  server = await createTestServer()
})
afterEach(() => server.close())

const secretOf = () => readFile(join(server.dataDir, 'server-secret'), 'utf8').then((text) => text.trim())

/** Runs `work` as the operator on the data folder while the server is stopped. */
async function asOperator<T>(work: (operator: Operator) => Promise<T>, env: Record<string, string> = {}): Promise<T> {
  const operator = await openOperator(
    loadConfig({ DATA_DIR: server.dataDir, ...(await databaseEnv(server.dataDir)), ...env }),
    true,
    server.clock,
  )
  try {
    return await work(operator)
  } finally {
    await operator.close()
  }
}

const draft = { subject: 'Help', category: 'general', message: 'Please help me' } as const

/** A member with one of everything that is encrypted with the secret. */
async function createRich() {
  const member = await joinOrganization(server, 'super_admin')
  await member.call(support.create, { body: draft })
  const own = await member.call(keys.getOwn, { query: {} })
  const app = await enableTotp(server, member)
  return { member, own, app }
}

const signIn = (member: Member) =>
  member.call(session.login, { body: { username: member.user.username, password: member.password } })

async function expectEverythingWorks({ member, own, app }: Awaited<ReturnType<typeof createRich>>): Promise<void> {
  await server.advance(60_000)
  const { ticket } = await enterPassword(member, member)
  await member.call(secondFactor.signIn, { body: { ticket, code: app.code() } })
  expect(await member.call(keys.getOwn, { query: {} })).toEqual(own)
  expect(await member.call(support.list, {})).toMatchObject([draft])
  const { ticket: again } = await enterPassword(server.visitor(), member).catch(() => ({ ticket: '' }))
  expect(again).not.toBe('')
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const opened = await server.visitor().call(recovery.start, { body: proof })
  expect(opened).toEqual({ userId: member.user.id, recoveryWrappedAccountKey: member.keys?.recoveryWrappedAccountKey })
  const browser = server.visitor()
  const needed = await enterPassword(browser, member)
  await browser.call(secondFactor.signIn, { body: { ticket: needed.ticket, recoveryCode: app.recoveryCodes[0] } })
  expect((await verify(await exportOf(member), server.core.auditKey.publicKey)).problem).toBeUndefined()
}

test('after a rotation everything works under the new secret, and nothing opens with the old', async () => {
  const rich = await createRich()
  const { publicKey } = server.core.auditKey
  const old = createSecrets(await secretOf())
  const before = await sealedPlaces(server.core.db.read, old)
  expect(before.length).toBeGreaterThanOrEqual(8)
  await server.app.close()
  const rotated = await asOperator((operator) => rotateSecret(operator, undefined))
  expect(rotated.sessionsEnded).toBeGreaterThan(0)
  await server.start()

  expect(existsSync(nextSecretPath(server.dataDir))).toBe(false)
  expect(await sealedPlaces(server.core.db.read, old)).toEqual([])
  const fresh = createSecrets(await secretOf())
  // The shares ended with their sessions.
  const remaining = before.filter((place) => place !== 'sessions.key_share')
  expect(await sealedPlaces(server.core.db.read, fresh)).toEqual([...remaining, 'settings.carried_keys'].sort())
  expect(server.core.auditKey.publicKey).toBe(publicKey)
  expect((await rich.member.request('GET', '/api/user')).status).toBe(401)
  expect(await server.core.db.read.all('select * from known_devices')).toEqual([])
  await expectEverythingWorks(rich)
})

test('a second rotation carries over what the first did', async () => {
  const rich = await createRich()
  await server.app.close()
  for (let i = 0; i < 2; i++) await asOperator((operator) => rotateSecret(operator, undefined))
  await server.start()
  await expectEverythingWorks(rich)
  const newcomer = await server.signUp()
  await server.restart()
  await signIn(newcomer)
})

test('with SERVER_SECRET the new secret is given, and the old one no longer starts the server', async () => {
  const member = await server.signUp()
  await server.app.close()
  const old = await secretOf()
  const env = { SERVER_SECRET: old }
  for (const wrong of [undefined, 'short', old])
    await expect(asOperator((operator) => rotateSecret(operator, wrong), env)).rejects.toThrow('NEW_SERVER_SECRET')
  const next = 'n'.repeat(40)
  await asOperator((operator) => rotateSecret(operator, next), env)
  await expect(server.start()).rejects.toThrow('secret is not the one')
  const under = await createTestServer({ dataDir: server.dataDir, env: { SERVER_SECRET: next } })
  const { username } = member.user
  await under.visitor().call(session.login, { body: { username, password: member.password } })
  await under.close()
  await asOperator((operator) => rotateSecret(operator, old), { SERVER_SECRET: next })
  await server.start()
  await signIn(member)
})

test('what stands around the new secret, in the environment or in a file, is no part of it', async () => {
  const member = await server.signUp()
  await server.app.close()
  const [first, second, third] = [await secretOf(), 'n'.repeat(40), 'm'.repeat(40)]
  const rotate = (env: Record<string, string>) => runAdmin(server.dataDir, ['secret', 'rotate'], env)
  const padded = `\uFEFF\t${second} \r\n`
  expect(await rotate({ SERVER_SECRET: first, NEW_SERVER_SECRET: padded })).toMatchObject({ code: 0 })
  const file = join(server.dataDir, 'next')
  await writeFile(file, `${third}\r\n`)
  const both = { SERVER_SECRET: second, NEW_SERVER_SECRET: third, NEW_SERVER_SECRET_FILE: file }
  expect(await rotate(both)).toMatchObject({ code: 1, error: expect.stringContaining('are both set') })
  expect(await rotate({ SERVER_SECRET: second, NEW_SERVER_SECRET_FILE: file })).toMatchObject({ code: 0 })
  const env = { SERVER_SECRET: third }
  await expect(asOperator((operator) => rotateSecret(operator, padded), env)).rejects.toThrow('NEW_SERVER_SECRET')
  await asOperator((operator) => rotateSecret(operator, first), env)
  await server.start()
  await signIn(member)
})

test('a server started during a rotation is refused with the reason, and starts after it', async () => {
  const member = await server.signUp()
  await server.app.close()
  await asOperator(async (operator) => {
    await expect(server.start()).rejects.toThrow('a command of the operator is at work on it')
    await rotateSecret(operator, undefined)
    await expect(server.start()).rejects.toThrow('a command of the operator is at work on it')
  })
  await server.start()
  await signIn(member)
})

describe('cut off in the middle', () => {
  test('before the database changed over, the old secret stays and the new one is gone', async () => {
    const rich = await createRich()
    const old = await secretOf()
    await server.app.close()
    await readOrCreateSecret(nextSecretPath(server.dataDir))
    await server.start()
    expect([await secretOf(), existsSync(nextSecretPath(server.dataDir))]).toEqual([old, false])
    await expectEverythingWorks(rich)
  })

  test('after it, the next start puts the new one in its place', async () => {
    const rich = await createRich()
    const old = await secretOf()
    await server.app.close()
    const next = await asOperator(async (operator) => {
      const made = await readOrCreateSecret(nextSecretPath(server.dataDir))
      await reseal(operator, createSecrets(made))
      return made
    })
    await server.start()
    expect([await secretOf(), existsSync(nextSecretPath(server.dataDir))]).toEqual([next, false])
    expect(next).not.toBe(old)
    await expectEverythingWorks(rich)
  })

  test('a rotation killed as soon as it begins to show leaves a folder that works', { timeout: 60_000 }, async () => {
    const rich = await createRich()
    await server.app.close()
    const program = fileURLToPath(new URL('../../src/admin.ts', import.meta.url))
    for (let i = 0; i < 3; i++) {
      const database = await databaseEnv(server.dataDir)
      const watcher = watch(server.dataDir)
      const child = spawn(process.execPath, [program, 'secret', 'rotate'], {
        env: { PATH: process.env['PATH'], ...compiledEnv, DATA_DIR: server.dataDir, ...database },
        stdio: 'ignore',
      })
      // Kill one event later in each round: at the new file, its rename, the log of the database …
      let events = 0
      watcher.on('change', (_type, name) => {
        if (String(name).startsWith('server-secret') || events > 0) events += 1
        if (events > i * 2) child.kill('SIGKILL')
      })
      await once(child, 'exit')
      watcher.close()
    }
    await server.start()
    await expectEverythingWorks(rich)
  })

  test('another command beside a rotation under way waits outside', { timeout: 60_000 }, async () => {
    await readOrCreateSecret(nextSecretPath(server.dataDir))
    const { code, error } = await runAdmin(server.dataDir, ['list', 'users'])
    expect([code, error]).toEqual([1, expect.stringContaining('just being rotated')])
    expect(existsSync(nextSecretPath(server.dataDir))).toBe(true)
  })
})
