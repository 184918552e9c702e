import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@privity/contract/files'
import { invitations } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { backUp } from '../../src/operator/backup.ts'
import { openOperator } from '../../src/operator/operator.ts'
import { restore } from '../../src/operator/restore.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { selectAudit } from '../support/scenes/auditEntries.ts'
import { join as joinAs } from '../support/scenes/organization.ts'
import { approve, createTalk, download, grantFor, randomFile } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('backups')

let folder: string
let server: TestServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-restored-'))
  server = await createTestServer()
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const configOf = (dataDir: string) => loadConfig({ DATA_DIR: dataDir, PORT: '0' })

test('a restored backup brings no link and no approval back that was used up or taken back since', async () => {
  const talk = await createTalk(server)
  const chief = await joinAs(server, 'super_admin')
  const [used, revoked] = await Promise.all(
    [1, 2].map(() => chief.call(invitations.create, { body: { role: 'super_admin', validFor: 7 * 24 * 3_600_000 } })),
  )
  const { filePath } = await talk.sendFile(talk.anna, randomFile(5_000))
  const authorizationId = await approve(talk.anna, talk.ben, filePath)
  // One download was in progress when the other process was killed: without the restore, it would be released.
  await server.core.db.write(async (tx) => {
    await tx.run('update file_authorizations set downloads_left = 2')
    await tx.run(
      "insert into file_downloads (id, authorization_id, started_at, process) values ('cut', ?, 0, 'gone')",
      [authorizationId],
    )
  })
  const open = await server.core.db.read.all('select 1 from invitations where used_at is null')
  const operator = await openOperator(configOf(server.dataDir), false, server.clock)
  const made = await backUp(operator, join(folder, 'backup'))
  await operator.close()
  const register = (on: TestServer, username: string, token = '') => {
    const body = { username, password: 'p', firstName: 'A', lastName: 'B', email: `${username}@example.com` }
    return on.visitor().request('POST', '/api/register', { ...body, invitation: token })
  }
  expect((await register(server, 'guest', used?.token)).status).toBe(201)
  await chief.call(invitations.revoke, { params: { id: revoked?.invitation.id ?? '' } })
  for (let n = 0; n < 2; n++) expect((await download(talk.ben, filePath)).status).toBe(200)

  const home = join(folder, 'home')
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  const restored = await restore(configOf(home), made.folder, server.clock)
  expect(restored).toMatchObject({ invitationsRevoked: open.length, approvalsClosed: 1 })
  const second = await createTestServer({ dataDir: home, clock: server.clock })
  try {
    for (const [username, link] of [
      ['thief', used],
      ['outcast', revoked],
    ] as const)
      expect(await register(second, username, link?.token)).toMatchObject({ body: { code: 'INVITATION_INVALID' } })
    const ben = second.visitor()
    await ben.call(session.login, { body: { username: talk.ben.user.username, password: talk.ben.password } })
    expect(await ben.call(files.check, { params: { '*': filePath.slice(1) } })).toMatchObject({
      status: 'none',
    })
    expect((await ben.fetch(filePath)).status).toBe(403)
    const entry = (await selectAudit(second.core.db.read)).find(({ action }) => action === 'backup_restored')
    expect(entry?.details).toContain(`"invitationsRevoked":${open.length}`)
    // The owner authorizes again.
    const anna = second.visitor()
    await anna.call(session.login, { body: { username: talk.anna.user.username, password: talk.anna.password } })
    const grant = await grantFor(second, authorizationId)
    await anna.call(files.decide, { params: { id: authorizationId }, body: { authorize: true, grant } })
    expect((await ben.fetch(filePath)).status).toBe(200)
  } finally {
    await second.close()
  }
})
