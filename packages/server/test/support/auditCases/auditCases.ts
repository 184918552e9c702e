import { accountCases, type AuditCase } from './account.ts'
import { browserCases } from './browsers.ts'
import { conversationCases } from './conversations.ts'
import { auditLogCases } from './auditLogs.ts'
import { directoryCases } from './directory.ts'
import { founderCases } from './founderSession.ts'
import { founderActionCases } from './founderActions.ts'
import { founderAlertCases } from './founderAlerts.ts'
import { founderIncidentCases } from './founderIncidents.ts'
import { moderationCases } from './moderation.ts'
import { notificationCases } from './notifications.ts'
import { organizationCases } from './organization.ts'
import { ownAccountCases } from './ownAccount.ts'
import { preferenceCases } from './preferences.ts'
import { pushCases } from './push.ts'
import { reportCases } from './reports.ts'
import { secondFactorCases } from './secondFactor.ts'

/** Every state-changing call of the contract, by `METHOD path`. */
export const auditCases: Record<string, AuditCase> = {
  ...accountCases,
  ...ownAccountCases,
  ...browserCases,
  ...secondFactorCases,
  ...conversationCases,
  ...directoryCases,
  ...reportCases,
  ...preferenceCases,
  ...notificationCases,
  ...pushCases,
  ...auditLogCases,
  ...organizationCases,
  ...founderCases,
  ...founderActionCases,
  ...founderAlertCases,
  ...founderIncidentCases,
  ...moderationCases,
}
