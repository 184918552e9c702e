import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '@privity/contract/keys'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { createCaller } from '../../support/server/caller.ts'
import { makeKeys, wrapped } from '../../support/server/memberKeys.ts'
import { makeReplacement } from '../../support/scenes/keyReplacement.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { ask } from '../../support/database/storedBytes.ts'

// Each round starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** The parts of the replacement that the database holds. */
async function readState(dataDir: string, oldIdentity: string) {
  const [state] = await ask<Record<string, unknown>>(
    dataDir,
    `select identity_key as identity, pins_version as pins,
       (select count(*) from epochs) as epochs,
       (select count(wrapped_former_key) from epochs) as "formerKeys",
       (select count(*) from epochs where used_until < ends_at) as superseded,
       (select count(*) from audit_log where action in ('keys_replaced', 'password_changed')) as entries
     from users`,
  )
  return { ...state, identity: state?.['identity'] === oldIdentity ? 'old' : 'new' }
}

const moments: [string, (dataDir: string, oldIdentity: string) => Promise<unknown>][] = [
  ['as soon as it was asked for', async () => {}],
  [
    'once the new identity key is in the database',
    (dataDir, old) => expect.poll(async () => (await readState(dataDir, old)).identity, { interval: 1 }).toBe('new'),
  ],
]

test.each(moments)('killed %s, all of the keys are the old or the new ones', async (_moment, reached) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-killed-'))
  const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0' })
  const caller = createCaller(() => server.facts.url)
  const account = { username: 'anna', password: 'secret', firstName: 'A', lastName: 'B', email: 'anna@example.com' }
  const made = makeKeys(Date.now())
  await caller.call(session.register, { body: { ...account, keys: made } })
  const replacement = makeReplacement(await caller.call(keys.getOwn, { query: {} }))
  const body = { currentPassword: 'secret', newPassword: 'new', wrappedAccountKey: wrapped(), replacement }
  const asked = caller.request('PUT', '/api/account/password', body).catch(() => undefined)
  await reached(dataDir, made.identityKey)
  await server.stop('SIGKILL')
  const answer = await asked
  const state = await readState(dataDir, made.identityKey)
  const before = { identity: 'old', pins: 1, epochs: 1, formerKeys: 0, superseded: 0, entries: 0 }
  const after = { identity: 'new', pins: 2, epochs: 2, formerKeys: 1, superseded: 1, entries: 2 }
  expect([before, after]).toContainEqual(state)
  if (answer?.status === 200) expect(state).toEqual(after)
  await rm(dataDir, { recursive: true, force: true })
})
