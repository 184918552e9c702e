import { expect, test } from 'vitest'
import { createStage } from './support/stage.ts'

test('an administrator reads, filters and exports the log; a member is refused', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  await stage.server.core.db.write((tx) => tx.run("update users set role = 'org_admin' where id = ?", [anna.user.id]))
  const { auditLogs } = anna.client
  const entries = await auditLogs.list({ person: ben.user.id })
  expect(entries.at(-1)).toMatchObject({
    action: 'account_created',
    targetUserEmail: ben.user.email,
    actor: { kind: 'member', id: ben.user.id },
  })
  const [newest] = await auditLogs.list({ limit: 1 })
  expect((await auditLogs.list({ before: newest?.id })).map(({ id }) => id)).not.toContain(newest?.id)
  expect(await auditLogs.actions()).toContain('account_created')
  const { downloadURL, name } = await auditLogs.createExport()
  expect([downloadURL, name]).toEqual([
    expect.stringMatching(/^\/api\/audit-logs\/exports\//),
    expect.stringMatching(/\.jsonl$/),
  ])
  expect((await auditLogs.list({ action: 'audit_log_exported' })).map(({ performedBy }) => performedBy)).toEqual([
    `${anna.user.firstName} ${anna.user.lastName}`,
  ])
  await expect(ben.client.auditLogs.list()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
