import type { ReportedEvent } from '@privity/contract/securityEvents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStage, type Person, type Stage } from './support/stage.ts'

let stage: Stage
let anna: Person
beforeAll(async () => {
  stage = await createStage({ env: { SUPPORT_EMAIL: 'help@example.org' } })
  anna = await stage.signUp('anna')
})
afterAll(() => stage[Symbol.asyncDispose]())

let ids = 0
const event = (): ReportedEvent & { id: string } => {
  ids += 1
  return {
    id: `01900000-0000-7000-8000-${String(ids).padStart(12, '0')}`,
    eventType: 'print_attempt',
    eventDescription: 'The page was about to be printed',
    pageUrl: '/',
    severity: 'medium',
    metadata: { shortcut: 'Ctrl+P' },
    sessionId: 'unknown',
  }
}

const stored = async () => {
  const rows = await stage.server.core.db.read.all<{ client_id: string }>(
    'select client_id from security_events where client_id is not null order by rowid',
  )
  return rows.map(({ client_id }) => client_id)
}

test('one event goes by the single call, several by the batch, each stored once', async () => {
  const events = [event(), event(), event()]
  await anna.client.reports.events(events.slice(0, 1))
  await anna.client.reports.events(events)
  expect(await stored()).toEqual(events.map(({ id }) => id))
})

test('a request for support is stored, and asked again with the same id it is the same', async () => {
  const draft = {
    id: '01900000-0000-7000-8000-00000000000a',
    subject: 'Help',
    category: 'files',
    message: 'Please',
  } as const
  const made = await anna.client.reports.askSupport(draft)
  expect(await anna.client.reports.askSupport(draft)).toEqual(made)
  expect(await anna.client.reports.supportRequests()).toEqual([made])
  expect(made.priority).toBe('normal')
})

test('the server says how it is, and where to write to', async () => {
  expect(await anna.client.reports.health()).toMatchObject({ status: 'good' })
  expect(await anna.client.reports.supportEmail()).toBe('help@example.org')
})
