import { moderation } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { createFloodedServer, makeReport } from '../../../support/founder/moderation.ts'
import { refuse } from '../../../support/database/schema.ts'
import { createTalk } from '../../../support/scenes/conversation.ts'

vi.setConfig({ testTimeout: 60_000 })

const unknown = '01890000-0000-7000-8000-000000000000'

let server: TestServer
let founder: Caller
let ids: string[]
beforeAll(async () => {
  server = await createFloodedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.core.db.write((tx) => tx.run('delete from message_flags'))
  founder = await signInFounder(server)
  const talk = await createTalk(server)
  for (let report = 0; report < 3; report++) await makeReport(server, talk)
  ids = (await list()).map(({ id }) => id)
})

const list = () => founder.call(moderation.flagged, { query: {} })
const unflag = (...given: string[]) => founder.call(moderation.unflagSeveral, { body: { ids: given } })
const entriesOf = async (given: readonly string[]) =>
  (await selectAudit(server.core.db.read, "action = 'message_unflagged'")).filter(
    ({ target_id: target }) => target !== null && given.includes(target),
  )
const sealed = async () =>
  (await server.core.db.read.all('select id from message_flags where sealed_report is not null')).length

test('several leave the list in one call, and their reports are erased', async () => {
  expect(await unflag(...ids.slice(0, 2))).toEqual({ unflagged: ids.slice(0, 2), failed: [] })
  expect((await list()).map(({ id }) => id)).toEqual(ids.slice(2))
  expect(await sealed()).toBe(1)
})

test('each leaves an entry of its own', async () => {
  await unflag(...ids)
  const entries = await entriesOf(ids)
  expect(entries.map(({ target_id: target, details, address }) => [target, details, address])).toEqual(
    ids.map((id) => [id, '{"rule":"report"}', founder.address]),
  )
})

test('those that are gone are told one by one, and the others are unflagged', async () => {
  const [first = '', second = '', third = ''] = ids
  await founder.call(moderation.unflag, { params: { id: second } })
  expect(await unflag(first, second, unknown, third)).toEqual({
    unflagged: [first, third],
    failed: [
      { id: second, code: 'FLAG_NOT_FOUND' },
      { id: unknown, code: 'FLAG_NOT_FOUND' },
    ],
  })
  expect(await entriesOf([...ids, unknown])).toHaveLength(3)
  expect(await list()).toEqual([])
})

test('one that is named twice is unflagged once', async () => {
  const [first = ''] = ids
  expect(await unflag(first, first)).toEqual({ unflagged: [first], failed: [] })
  expect(await entriesOf([first])).toHaveLength(1)
})

test('two calls at once unflag each once', async () => {
  const answers = await Promise.all([unflag(...ids), unflag(...ids)])
  expect(answers.flatMap(({ unflagged }) => unflagged).toSorted()).toEqual(ids.toSorted())
  expect(answers.flatMap(({ failed }) => failed)).toHaveLength(3)
  expect(await entriesOf(ids)).toHaveLength(3)
})

test('where the database fails in the middle, none is unflagged and none has an entry', async () => {
  const [, second = ''] = ids
  const allow = await refuse(server.core.db, 'message_flags', { before: 'update', when: `new.id = '${second}'` })
  const { status } = await founder.request('POST', moderation.unflagSeveral.path, { ids })
  await allow()
  expect(status).toBe(500)
  expect((await list()).map(({ id }) => id)).toEqual(ids)
  expect(await entriesOf(ids)).toEqual([])
})

test('as many as the limit are taken, and one more is refused', async () => {
  const many = Array.from({ length: limits.flagsTakenAtOnce }, (_, index) => unknown.replace(/...$/, `${100 + index}`))
  expect((await unflag(...many)).failed).toHaveLength(limits.flagsTakenAtOnce)
  const { status, body } = await founder.request('POST', moderation.unflagSeveral.path, { ids: [...many, ...ids] })
  expect([status, body]).toEqual([400, expect.objectContaining({ code: 'INVALID_INPUT' })])
  expect(await list()).toHaveLength(3)
})

test.each([{}, { ids: [] }, { ids: 'all' }, { ids: ['x'] }, { ids: [null] }])('%j is refused', async (body) => {
  expect((await founder.request('POST', moderation.unflagSeveral.path, body)).status).toBe(400)
  expect(await list()).toHaveLength(3)
})

test('nobody but the founder unflags', async () => {
  for (const caller of [server.visitor(), await server.signUp()])
    expect((await caller.request('POST', moderation.unflagSeveral.path, { ids })).status).toBe(401)
  expect(await list()).toHaveLength(3)
})
