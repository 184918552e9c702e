import type { Received, Result } from '@privity/contract/endpoint'
import type { organization as contract } from '@privity/contract/organization'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { organizationOf } from './organization.ts'
import { getAdministrator, checkIsSuperAdmin } from './roles/permissions.ts'
import { notifyAdministrators } from './roles/notifyAdministrators.ts'

const fields = ['name', 'type'] as const

/** Only a Super Admin changes name and type, as with roles. A call that changes nothing writes no entry. */
export function updateOrganization(
  core: Core,
  caller: Caller,
  part: Received<typeof contract.update>['body'],
): Promise<Result<typeof contract.update>> {
  return core.db.write(async (tx) => {
    const administrator = await getAdministrator(tx, caller)
    checkIsSuperAdmin(administrator)
    const before = await organizationOf(tx, administrator)
    const after = { ...before, ...part }
    const changed = fields.filter((field) => before[field] !== after[field])
    if (changed.length === 0) return before
    await tx.run('update organizations set name = ?, type = ? where id = ?', [after.name, after.type, after.id])
    const details = Object.fromEntries(
      changed.flatMap((field) => [
        [`${field}.before`, before[field]],
        [`${field}.after`, after[field]],
      ]),
    )
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'organization_changed', actorId, address, details, at: core.clock.now() })
    notifyAdministrators(tx, core, after.id)
    return after
  })
}
