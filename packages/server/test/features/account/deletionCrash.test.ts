import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@privity/contract/files'
import { session, type User } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { createCaller } from '../../support/server/caller.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { randomFile } from '../../support/scenes/conversation.ts'
import { ask } from '../../support/database/storedBytes.ts'

// Each round starts two processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const many = 40

async function objectsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Number of references to the user in each table, read from the database of a stopped server. */
async function countRows(dataDir: string, userId: string): Promise<Record<string, number> | undefined> {
  const [counts] = await ask<Record<string, number>>(
    dataDir,
    `select (select count(*) from users where id = ?) as users,
       (select count(*) from sessions where user_id = ?) as sessions,
       (select count(*) from files where owner_id = ?) as files,
       (select count(*) from retired_users where id = ?) as retired,
       (select count(*) from audit_log where action = 'account_deleted' and target_id = ?) as entries`,
    Array.from({ length: 5 }, () => userId),
  )
  return counts
}

const moments: [string, (dataDir: string) => Promise<unknown>][] = [
  ['as soon as it was asked for', async () => {}],
  [
    'once the first bytes were gone',
    (dataDir) => expect.poll(() => objectsIn(dataDir), { interval: 1 }).not.toHaveLength(many),
  ],
]

test.each(moments)(
  'killed %s, a deletion leaves the account whole or gone, and gone means its bytes too',
  async (_moment, reached) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'privity-killed-'))
    const env = { DATA_DIR: dataDir, DEMO: '0' }
    const first = await startProcess(env)
    const caller = createCaller(() => first.facts.url)
    const account = { username: 'anna', password: 'secret', firstName: 'A', lastName: 'B', email: 'anna@example.com' }
    const { id }: User = await caller.call(session.register, { body: account })
    for (let at = 0; at < many; at++) {
      const { uploadURL } = await caller.call(files.createUpload, {})
      const headers = { 'content-type': 'application/octet-stream' }
      await caller.fetch(uploadURL, { method: 'PUT', body: randomFile(1000), headers })
      await caller.call(files.register, { body: { fileURL: uploadURL } })
    }
    const { username, password } = account
    const asked = caller.request('POST', '/api/account/deletion', { username, password }).catch(() => undefined)
    await reached(dataDir)
    await first.stop('SIGKILL')
    const answer = await asked

    const second = await startProcess(env)
    await expect.poll(async () => (await objectsIn(dataDir)).length % many, { timeout: 30_000 }).toBe(0)
    await second.stop('SIGTERM')
    const counts = await countRows(dataDir, id)
    const objects = (await objectsIn(dataDir)).length
    const whole = { users: 1, sessions: 1, files: many, retired: 0, entries: 0 }
    const gone = { users: 0, sessions: 0, files: 0, retired: 1, entries: 1 }
    expect([
      { counts: whole, objects: many },
      { counts: gone, objects: 0 },
    ]).toContainEqual({ counts, objects })
    if (answer?.status === 200) expect(counts).toEqual(gone)
    await rm(dataDir, { recursive: true, force: true })
  },
)
