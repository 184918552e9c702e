import { config } from '@privity/contract/config'
import { AppError } from '@privity/contract/errors'
import { alerts } from '@privity/contract/founder/alerts'
import { expect, test, vi } from 'vitest'
import { latestProblems } from '../../../src/features/health/health.ts'
import type { TestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { choose, createAlertServer, listed, toEmail } from '../../support/founder/alerts.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

const pages = ({ core }: TestServer, most: number) => core.db.write((tx) => tx.get(`pragma max_page_count = ${most}`))

/** Leaves no room for another page: messages use up the free pages until the server refuses them. */
async function fill(server: TestServer): Promise<void> {
  const talk = await createTalk(server)
  const used = await server.core.db.write((tx) => tx.get<{ page_count: number }>('pragma page_count'))
  await pages(server, used?.page_count ?? 0)
  for (let status = 201; status === 201;)
    ({ status } = await talk.anna.request('POST', '/api/messages', talk.text(talk.anna)))
}

const many = { requests: 100_000, window: 1000 }
const options = { rateLimits: { send: many } }

sqliteTest('full disk')('the health is critical while the database has no room for a page, and no longer', async () => {
  await using scene = await createAlertServer({ options })
  const { server } = scene
  await server.advance(15_000)
  expect(await latestProblems(server.core)).not.toContain('database')
  await fill(server)
  await server.advance(15_000)
  expect(await latestProblems(server.core)).toContain('database')
  expect((await server.visitor().call(config.health, {})).status).toBe('critical')
  await pages(server, 1_000_000)
  await server.advance(15_000)
  expect(await latestProblems(server.core)).not.toContain('database')
  expect(await server.core.db.read.all('select id from health_pages')).toEqual([])
})

sqliteTest('full disk')('a full database raises an alert that leaves by mail while it is full', async () => {
  await using scene = await createAlertServer({ options })
  const { server, mail } = scene
  await choose(server, toEmail)
  await fill(server)
  await server.advance(15_000)
  await server.advance(60_000)
  await mail.seen(1)
  expect((await listed(server))[0]).toMatchObject({ type: 'system_error', subject: 'database' })
})

test('an alert that the database cannot keep leaves by mail, once in 15 minutes', async () => {
  await using scene = await createAlertServer()
  const { server, mail } = scene
  await choose(server, toEmail)
  vi.spyOn(server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  await server.advance(15_000)
  await server.advance(60_000)
  await mail.seen(1)
  for (let minute = 0; minute < 14; minute++) await server.advance(60_000)
  expect(mail.delivered).toHaveLength(1)
  expect(mail.delivered[0]?.source).toContain('Part: database')
  await server.advance(2 * 60_000)
  await mail.seen(2)
})

test('an alert that the database cannot keep is in the log, and is raised once it can', async () => {
  await using scene = await createAlertServer()
  const { server, lines } = scene
  const write = vi.spyOn(server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  await server.advance(15_000)
  await server.advance(60_000)
  const told = lines.map((line) => JSON.parse(line) as { msg: string }).find(({ msg }) => msg.startsWith('ALERT:'))
  expect(told).toMatchObject({ level: 50, msg: 'ALERT: it could not be kept', parts: ['health database'] })
  write.mockRestore()
  await server.advance(60_000)
  expect((await listed(server))[0]).toMatchObject({ type: 'system_error', subject: 'database' })
})

test('the console answers the founder while the database keeps nothing', async () => {
  await using scene = await createAlertServer()
  const { server } = scene
  const founder = await signInFounder(server)
  await server.advance(5 * 60_000)
  vi.spyOn(server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  await founder.call(alerts.getSettings, {})
})
