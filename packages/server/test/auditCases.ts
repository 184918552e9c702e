import { accountCases, type AuditCase } from './auditTable.ts'
import { conversationCases } from './auditTableConversations.ts'
import { auditLogCases } from './auditTableLog.ts'
import { founderCases } from './auditTableFounder.ts'
import { founderActionCases } from './auditTableFounderActions.ts'
import { founderAlertCases } from './auditTableFounderAlerts.ts'
import { founderIncidentCases } from './auditTableFounderIncidents.ts'
import { moderationCases } from './auditTableModeration.ts'
import { notificationCases } from './auditTableNotifications.ts'
import { organizationCases } from './auditTableOrganization.ts'
import { ownAccountCases } from './auditTableOwnAccount.ts'
import { preferenceCases } from './auditTablePreferences.ts'
import { reportCases } from './auditTableReports.ts'
import { secondFactorCases } from './auditTableSecondFactor.ts'

/** Every changing call of the contract, by `METHOD path`. */
export const auditCases: Record<string, AuditCase> = {
  ...accountCases,
  ...ownAccountCases,
  ...secondFactorCases,
  ...conversationCases,
  ...reportCases,
  ...preferenceCases,
  ...notificationCases,
  ...auditLogCases,
  ...organizationCases,
  ...founderCases,
  ...founderActionCases,
  ...founderAlertCases,
  ...founderIncidentCases,
  ...moderationCases,
}
