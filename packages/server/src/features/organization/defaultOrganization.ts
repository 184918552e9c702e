import type { Reader } from '../../core/database/types.ts'
import type { OrganizationRow } from '../../core/database/tables/organization.ts'

/** The oldest organization: people who sign up without an invitation join it. */
export const defaultOrganization = (db: Reader) =>
  db.get<OrganizationRow>('select * from organizations order by created_at, id limit 1')
