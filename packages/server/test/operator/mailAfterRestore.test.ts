import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { configuredServices } from '../../src/features/founder/alerts/channels.ts'
import { backUp } from '../../src/operator/backup.ts'
import { openOperator } from '../../src/operator/operator.ts'
import { restore } from '../../src/operator/restore.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { createMailServer, type MailServer } from '../support/services/mailServer.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('backups')

const twilio = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: '0'.repeat(32),
  TWILIO_FROM: '+15550100',
}

let folder: string
let mail: MailServer
let env: Record<string, string>
let member: { username: string; password: string }
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-silent-'))
  mail = await createMailServer()
  env = { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.org', ...twilio }
})
afterEach(async () => {
  await mail.close()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a data folder with a restored backup. */
async function restored(): Promise<string> {
  const home = join(folder, 'home')
  await using server = await createTestServer()
  const { user, password } = await server.signUp()
  member = { username: user.username, password }
  const operator = await openOperator(loadConfig({ DATA_DIR: server.dataDir }), false, server.clock)
  await backUp(operator, join(folder, 'backup'))
  await operator.close()
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  await restore(loadConfig({ DATA_DIR: home }), join(folder, 'backup'), server.clock)
  return home
}

/** Signs in from an unknown browser, of which the owner is notified by email. */
async function signIn(server: TestServer): Promise<void> {
  await server.visitor().call(session.login, { body: member })
  await server.app.settled()
}

test('a server over a restored database mails nobody, and its alerts go to the log', async () => {
  const dataDir = await restored()
  await using server = await createTestServer({ dataDir, env })
  await signIn(server)
  expect(server.core.mail.configured).toBe(false)
  expect(configuredServices(server.core)).toEqual({ email: 'log', sms: 'log' })
  expect(mail.delivered).toEqual([])
})

test('a restored server mails once it was told to, and goes on without being told again', async () => {
  const dataDir = await restored()
  await (await createTestServer({ dataDir, env: { ...env, RESTORED_MAILS: '1' } })).close()
  await using server = await createTestServer({ dataDir, env })
  await signIn(server)
  await mail.seen(1)
  expect(configuredServices(server.core)).toEqual({ email: 'smtp', sms: 'twilio' })
})

test('a server that was never restored mails without being told', async () => {
  await using server = await createTestServer({ env })
  expect(configuredServices(server.core)).toEqual({ email: 'smtp', sms: 'twilio' })
})
