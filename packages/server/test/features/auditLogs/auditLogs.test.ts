import { auditLogs } from '@privity/contract/auditLogs'
import { session } from '@privity/contract/session'
import { account } from '@privity/contract/account'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/core/audit/audit.ts'
import { selectFiltered } from '../../../src/features/auditLogs/queries.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const list = (member: Member, query: Parameters<typeof member.call<typeof auditLogs.list>>[1]['query'] = {}) =>
  member.call(auditLogs.list, { query })

/** An administrator and a member of a separate organization. */
async function createOffice(role: 'org_admin' | 'super_admin' = 'super_admin') {
  const id = await createOrganization(server, 'Office')
  const at = { organizationId: id }
  return { chief: await join(server, role, at), member: await join(server, 'user', at), id }
}

describe('who may read the log', () => {
  test.each(['GET /api/audit-logs', 'GET /api/audit-logs/actions', 'POST /api/audit-logs/exports'])(
    '%s is for administrators',
    async (name) => {
      const [method = '', path = ''] = name.split(' ')
      const { chief, member } = await createOffice('org_admin')
      expect((await server.visitor().request(method, path)).status).toBe(401)
      expect(await member.request(method, path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      expect((await chief.request(method, path)).status).toBe(200)
    },
  )

  test('nobody sees an entry of another organization, by any filter', async () => {
    const [one, other] = [await createOffice(), await createOffice()]
    await one.member.call(session.generateCode, {})
    await other.member.call(session.generateCode, {})
    const own = await list(one.chief)
    expect(own.map(({ action }) => action)).toEqual(['connection_code_replaced'])
    expect(await list(one.chief, { person: other.member.user.id })).toEqual([])
    const [entry] = await list(other.chief)
    expect(await list(one.chief, { before: entry?.id, from: 0, to: server.clock.now() + 1 })).toEqual(own)
    expect(JSON.stringify(own)).not.toContain(other.member.user.id)
  })

  test('an entry that two organizations share shows each its own people only', async () => {
    const [one, other] = [await createOffice(), await createOffice()]
    await server.connect(one.member, other.member)
    const [[mine], [theirs]] = [await list(one.chief), await list(other.chief)]
    expect(mine).toMatchObject({
      action: 'connection_created',
      performedBy: `${one.member.user.firstName} ${one.member.user.lastName}`,
      target: { kind: 'outside' },
      address: one.member.address,
    })
    expect(mine).not.toHaveProperty('targetUserEmail')
    expect(theirs).toMatchObject({
      id: mine?.id,
      performedBy: 'Someone in another organization',
      actor: { kind: 'outside' },
      target: { kind: 'member', id: other.member.user.id },
      targetUserEmail: other.member.user.email,
    })
    expect(theirs).not.toHaveProperty('address')
    expect(JSON.stringify(theirs)).not.toContain(one.member.user.id)
    expect(await list(other.chief, { person: other.member.user.id })).toEqual([theirs])
  })
})

describe('what an entry shows', () => {
  test('who, what, whom, when, from where and the facts', async () => {
    const { chief, member } = await createOffice()
    const { firstName, lastName, email } = member.user
    await member.call(account.updateProfile, { body: { firstName: 'New', lastName, email } })
    const person = {
      kind: 'member',
      id: member.user.id,
      username: member.user.username,
      firstName: 'New',
      lastName,
      email,
    }
    expect(await list(chief)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        action: 'profile_changed',
        targetUserEmail: email,
        performedBy: `New ${lastName}`,
        performedAt: server.clock.now(),
        details: { fields: 'firstName' },
        actor: person,
        target: person,
        address: member.address,
      },
    ])
    expect(firstName).not.toBe('New')
  })

  test('a deleted user is shown as such, and their earlier entries stay theirs', async () => {
    const { chief, member } = await createOffice()
    await member.call(session.generateCode, {})
    const { username, id } = member.user
    await member.call(account.remove, { body: { username, password: member.password } })
    const deleted = { kind: 'deleted', id }
    const performedBy = `Deleted user ${id.slice(-6)}`
    expect(await list(chief, { person: id })).toMatchObject([
      { action: 'account_deleted', performedBy, actor: deleted, target: deleted },
      { action: 'connection_code_replaced', performedBy },
    ])
    expect(JSON.stringify(await list(chief))).not.toContain(username)
  })

  test('the server, the operator and the founder are named', async () => {
    const { chief, id } = await createOffice()
    for (const actorId of [null, 'operator', 'founder'])
      await server.core.db.write((tx) =>
        audit(tx, { action: 'organization_changed', actorId, organizationId: id, at: server.clock.now() }),
      )
    expect((await list(chief)).map(({ performedBy, actor, target }) => [performedBy, actor.kind, target])).toEqual([
      ['Founder', 'founder', undefined],
      ['Operator', 'operator', undefined],
      ['Server', 'server', undefined],
    ])
  })
})

describe('filters and pages', () => {
  test('by action, person and time, newest first, each page behind the last', async () => {
    const { chief, member } = await createOffice()
    const times: number[] = []
    for (let i = 0; i < 7; i++) {
      server.clock.advance(1000)
      times.push(server.clock.now())
      await (i % 2 === 0 ? member : chief).call(session.generateCode, {})
      await member.call(session.endOtherSessions, {})
    }
    const all = await list(chief, { limit: 200 })
    expect(all).toHaveLength(14)
    expect(all.map(({ id }) => Number(id))).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => b - a))
    const codes = await list(chief, { action: 'connection_code_replaced' })
    expect(codes.map(({ performedAt }) => performedAt)).toEqual([...times].reverse())
    expect(await list(chief, { action: 'connection_code_replaced', person: chief.user.id })).toHaveLength(3)
    expect(await list(chief, { person: member.user.id })).toHaveLength(11)
    const between = await list(chief, { from: times[2], to: times[4] })
    expect(between.map(({ performedAt }) => performedAt)).toEqual([times[3], times[3], times[2], times[2]])

    const pages = []
    for (let before: string | undefined; ;) {
      const page = await list(chief, { limit: 4, before })
      pages.push(...page)
      if (page.length < 4) break
      before = page.at(-1)?.id
    }
    expect(pages).toEqual(all)
    expect(await chief.call(auditLogs.actions, {})).toEqual(['connection_code_replaced', 'other_sessions_ended'])
  })

  test('the same time twice, and a clock set back, lose and repeat nothing', async () => {
    const { chief, id } = await createOffice()
    for (const at of [500, 500, 500, 300, 400, 500])
      await server.core.db.write((tx) => audit(tx, { action: 'x', actorId: null, organizationId: id, at }))
    const seen: number[] = []
    for (let before: string | undefined; seen.length < 6;) {
      const [entry] = await list(chief, { limit: 1, before })
      seen.push(entry?.performedAt ?? -1)
      before = entry?.id
    }
    expect(seen).toEqual([500, 500, 500, 500, 400, 300])
  })

  test.each([
    { limit: '0' },
    { limit: '201' },
    { before: '0' },
    { before: 'x' },
    { action: 'Äh' },
    { action: '' },
    { person: 'me' },
    { from: '-1' },
    { to: 'now' },
  ])('%j is refused', async (query) => {
    const { chief } = await createOffice()
    const answer = await chief.request(
      'GET',
      `/api/audit-logs?${new URLSearchParams(Object.entries(query)).toString()}`,
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })
})

describe('every filter is answered by an index, however long the log is', () => {
  sqliteTest('plans')(
    'no plan reads the whole log, or sorts more than the page of each of its two branches',
    async () => {
      const organizationId = 'o'
      for (const filter of [{}, { action: 'a' }, { person: 'p' }, { from: 1, to: 2 }, { before: 5 }]) {
        const plans: string[] = []
        const db = {
          ...server.core.db.read,
          all: async <T>(sql: string, params: readonly (string | number | bigint | null | Uint8Array)[] = []) => {
            const rows = await server.core.db.read.all<{ detail: string }>(`explain query plan ${sql}`, params)
            plans.push(...rows.map(({ detail }) => detail))
            return [] as T[]
          },
        }
        await selectFiltered(db, { organizationId, limit: 50, ...filter })
        const onLog = plans.filter((detail) => /\baudit_log\b/.test(detail))
        expect(onLog.length, JSON.stringify(plans)).toBeGreaterThanOrEqual(2)
        for (const detail of onLog)
          expect(detail).toMatch(/^SEARCH audit_log USING (INDEX audit_log_by_|INTEGER PRIMARY)/)
        expect(plans.filter((detail) => detail.includes('TEMP B-TREE')).length, plans.join('\n')).toBeLessThanOrEqual(2)
      }
    },
  )
})
