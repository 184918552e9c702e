import type { Role } from '@privity/contract/session'
import { organizationTexts } from './texts.ts'
import '../../ui/badge/badge.css'

const looks = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

export function RoleBadge({ role }: { role: Role }) {
  return <span className={`badge ${looks[role]}`}>{organizationTexts.roles[role]}</span>
}
