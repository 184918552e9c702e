import { auditLogs } from '@privity/contract/auditLogs'
import { userAdministration } from '@privity/contract/organization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../../src/core/audit/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function table(admin: Member) {
  const { downloadURL, name } = await admin.call(auditLogs.createExport, { query: { format: 'csv' } })
  const answer = await admin.fetch(downloadURL)
  return { answer, name, text: Buffer.from(await answer.arrayBuffer()).toString('utf8') }
}

test('is a table of the organization’s entries, oldest first, that says where the proof is', async () => {
  const organizationId = await createOrganization(server, 'Chambers')
  const admin = await join(server, 'super_admin', { organizationId })
  const [member, stranger] = [await join(server, 'user', { organizationId }), await server.signUp()]
  await admin.call(userAdministration.setRole, { params: { id: member.user.id }, body: { role: 'org_admin' } })
  const { answer, name, text } = await table(admin)
  expect(name).toMatch(/^privity-audit-log-\d{4}-\d\d-\d\d-without-proof\.csv$/)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
  expect(text.startsWith('\uFEFFNumber (proof: JSON Lines export only),Date & Time (UTC),Action,')).toBe(true)
  const lines = text.slice(1).split('\r\n')
  expect(lines.pop()).toBe('')
  const [, ...records] = lines.map((line) => line.split(','))
  const listed = await admin.call(auditLogs.list, { query: { limit: 200 } })
  expect(records.map(([number]) => number)).toEqual(listed.map(({ id }) => id).toReversed())
  const changed = lines.find((line) => line.includes('user_role_changed'))
  const time = new Date(server.clock.now()).toISOString()
  const { firstName, lastName, id } = admin.user
  const at = `${time},user_role_changed,${firstName} ${lastName},${id},${member.user.email},${member.user.id}`
  expect(changed).toContain(`${at},${admin.address},"{""before"":""user"",""after"":""org_admin""}"`)
  expect(records.at(-1)?.[2]).toBe('audit_log_exported')
  for (const foreign of [stranger.user.id, stranger.user.email]) expect(text).not.toContain(foreign)
})

test('a name that a spreadsheet would calculate comes as text', async () => {
  const organizationId = await createOrganization(server, 'Chambers')
  const admin = await join(server, 'super_admin', { organizationId })
  await server.core.db.write((tx) =>
    tx.run('update users set first_name = \'=HYPERLINK("https://evil.example")\' where id = ?', [admin.user.id]),
  )
  const { text } = await table(admin)
  expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"") ${admin.user.lastName}",`)
  expect(text).not.toMatch(/(^|[,\n]"?)[=+@]/)
})

test('is whole over several pages, and ends where it was asked for', async () => {
  const organizationId = await createOrganization(server, 'Chambers')
  const admin = await join(server, 'super_admin', { organizationId })
  const at = server.clock.now()
  await server.core.db.write(async (tx) => {
    for (let n = 0; n < 1200; n++) await audit(tx, { action: 'signed_in', actorId: admin.user.id, details: { n }, at })
  })
  const { downloadURL } = await admin.call(auditLogs.createExport, { query: { format: 'csv' } })
  await server.core.db.write((tx) => audit(tx, { action: 'signed_out', actorId: admin.user.id, at }))
  const text = await (await admin.fetch(downloadURL)).text()
  const numbers = [...text.matchAll(/\{""n"":(\d+)\}/g)].map(([, n]) => Number(n))
  expect(numbers).toEqual(Array.from({ length: 1200 }, (_, n) => n))
  expect(text).not.toContain('signed_out')
})

test.each(['xlsx', '', 'CSV'])('another format is refused: %j', async (format) => {
  const admin = await join(server, 'super_admin')
  const answer = await admin.request('POST', `/api/audit-logs/exports?format=${format}`)
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
})
