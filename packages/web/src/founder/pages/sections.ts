import type { ComponentType } from 'react'
import {
  Activity,
  BellRing,
  Building2,
  FileDown,
  Flag,
  KeyRound,
  LifeBuoy,
  Lock,
  type LucideIcon,
  Siren,
  Users,
} from 'lucide-react'
import { usersId } from '../console/userFilter.ts'
import { alertsId, AlertSection } from '../features/alerts/AlertSection.tsx'
import { alertTexts } from '../features/alerts/texts.ts'
import { exportId, ExportSection } from '../features/auditExport/ExportSection.tsx'
import { exportTexts } from '../features/auditExport/texts.ts'
import { IncidentCount, incidentsId, IncidentSection } from '../features/incidents/IncidentSection.tsx'
import { incidentTexts } from '../features/incidents/texts.ts'
import { LockedAccounts, LockedCount } from '../features/lockedAccounts/LockedAccounts.tsx'
import { lockedTexts } from '../features/lockedAccounts/texts.ts'
import { FlaggedCount, Moderation, moderationId } from '../features/moderation/Moderation.tsx'
import { moderationTexts } from '../features/moderation/texts.ts'
import { Monitoring, monitoringId } from '../features/monitoring/Monitoring.tsx'
import { monitoringTexts } from '../features/monitoring/texts.ts'
import { Organizations } from '../features/organizations/Organizations.tsx'
import { organizationListTexts } from '../features/organizations/texts.ts'
import { OpenRequestsCount, SupportRequests } from '../features/supportRequests/SupportRequests.tsx'
import { supportListTexts } from '../features/supportRequests/texts.ts'
import { userStatsTexts } from '../features/userStats/texts.ts'
import { UserStats } from '../features/userStats/UserStats.tsx'
import { userTexts } from '../features/users/texts.ts'
import { UserManagement } from '../features/users/UserManagement.tsx'
import { securityId, SecuritySection } from '../features/security/SecuritySection.tsx'
import { securityTexts } from '../features/security/texts.ts'

export interface Section {
  /** The id of the ConsoleSection and target of the rail's link. */
  id: string
  /** Label in the rail. */
  label: string
  /** A section without an icon has no rail entry. */
  icon?: LucideIcon
  Section: ComponentType
  /** A RailCount that uses the same query as the section. */
  Count?: ComponentType
}

/** Sections in the order of the specification; the page and the rail both render this list. */
export const sections: readonly Section[] = [
  { id: monitoringId, label: monitoringTexts.rail, icon: Activity, Section: Monitoring },
  { id: incidentsId, label: incidentTexts.rail, icon: Siren, Section: IncidentSection, Count: IncidentCount },
  { id: 'user-stats', label: userStatsTexts.title, Section: UserStats },
  { id: alertsId, label: alertTexts.section, icon: BellRing, Section: AlertSection },
  { id: exportId, label: exportTexts.section, icon: FileDown, Section: ExportSection },
  {
    id: 'locked-accounts',
    label: lockedTexts.title,
    icon: Lock,
    Section: LockedAccounts,
    Count: LockedCount,
  },
  { id: moderationId, label: moderationTexts.rail, icon: Flag, Section: Moderation, Count: FlaggedCount },
  { id: usersId, label: userTexts.title, icon: Users, Section: UserManagement },
  { id: 'organizations', label: organizationListTexts.title, icon: Building2, Section: Organizations },
  {
    id: 'support-requests',
    label: supportListTexts.rail,
    icon: LifeBuoy,
    Section: SupportRequests,
    Count: OpenRequestsCount,
  },
  { id: securityId, label: securityTexts.rail, icon: KeyRound, Section: SecuritySection },
]
