import type { FastifyInstance } from 'fastify'
import type { Core } from './core/core.ts'
import type { Job } from './core/jobs/scheduler.ts'
import { mountAccount } from './features/account/routes.ts'
import { auditLogJobs } from './features/auditLogs/jobs.ts'
import { mountAuditLogs } from './features/auditLogs/routes.ts'
import { mountConfig } from './features/config/routes.ts'
import { mountConnections } from './features/connections/routes.ts'
import { requestJobs } from './features/connections/directory/endRequests.ts'
import { mountDirectory } from './features/connections/directory/routes.ts'
import { connectionJobs } from './features/connections/endings.ts'
import { healthJobs } from './features/health/health.ts'
import { incidentJobs } from './features/founder/incidents/acknowledgements.ts'
import { organizationJobs } from './features/organization/policy/policyChanges.ts'
import { mountIncidents } from './features/founder/incidents/routes.ts'
import { fileJobs } from './features/files/staleTransfers.ts'
import { mountFiles } from './features/files/routes.ts'
import { mountLockedAccounts } from './features/founder/lockedAccounts.ts'
import { mountFounderOrganizations } from './features/founder/organizations.ts'
import { moderationJobs } from './features/founder/moderation/flags.ts'
import { mountModeration } from './features/founder/moderation/routes.ts'
import { founderSessionJobs } from './features/founder/session/sessions.ts'
import { mountReportKeys } from './features/founder/reportKeys.ts'
import { mountFounderSecondFactor } from './features/founder/secondFactor/routes.ts'
import { mountFounderSession } from './features/founder/session/routes.ts'
import { mountFounderSupportRequests } from './features/founder/supportRequests.ts'
import { mountFounderUsers } from './features/founder/users.ts'
import { alertJobs } from './features/founder/alerts/jobs.ts'
import { mountAlerts } from './features/founder/alerts/routes.ts'
import { monitoringJobs, mountMonitoring } from './features/founder/monitoring/stats.ts'
import { mountAuditExport } from './features/founder/auditExport/routes.ts'
import { keyJobs } from './features/keys/jobs.ts'
import { mountKeys } from './features/keys/routes.ts'
import { mountMessageReports } from './features/messageReports/routes.ts'
import { mountMessages } from './features/messages/routes.ts'
import { notificationJobs } from './features/notifications/notificationList.ts'
import { mountMetrics } from './features/metrics/routes.ts'
import { mountNotifications } from './features/notifications/routes.ts'
import { mountOrganization } from './features/organization/routes.ts'
import { mountPreferences } from './features/preferences/routes.ts'
import { mountPrivacy } from './features/privacy/routes.ts'
import { pushJobs } from './features/push/jobs.ts'
import { mountPush } from './features/push/routes.ts'
import { reminderJobs } from './features/reminders/jobs.ts'
import { mountRecovery } from './features/recovery/routes.ts'
import { securityEventJobs } from './features/securityEvents/securityEvents.ts'
import { secondFactorJobs } from './features/secondFactor/ticket.ts'
import { mountSecondFactor } from './features/secondFactor/routes.ts'
import { mountSecurityEvents } from './features/securityEvents/routes.ts'
import { supportJobs } from './features/support/mail.ts'
import { mountSupport } from './features/support/routes.ts'
import { retentionJobs } from './features/retention/retention.ts'
import { sessionJobs } from './features/session/idleLimit.ts'
import { mountSession } from './features/session/routes.ts'

/** All features of this server. */
export const features: ((app: FastifyInstance, core: Core) => void)[] = [
  mountConfig,
  mountMetrics,
  mountSession,
  mountKeys,
  mountRecovery,
  mountSecondFactor,
  mountAccount,
  mountConnections,
  mountDirectory,
  mountMessages,
  mountFiles,
  mountSecurityEvents,
  mountNotifications,
  mountPush,
  mountSupport,
  mountPreferences,
  mountPrivacy,
  mountOrganization,
  mountAuditLogs,
  mountMessageReports,
  mountFounderSession,
  mountFounderSecondFactor,
  mountReportKeys,
  mountLockedAccounts,
  mountFounderUsers,
  mountFounderOrganizations,
  mountFounderSupportRequests,
  mountIncidents,
  mountAlerts,
  mountMonitoring,
  mountModeration,
  mountAuditExport,
]

/** All recurring jobs of this server. */
export const jobs: Job[] = [
  ...connectionJobs,
  ...requestJobs,
  ...sessionJobs,
  ...secondFactorJobs,
  ...keyJobs,
  ...retentionJobs,
  ...fileJobs,
  ...securityEventJobs,
  ...notificationJobs,
  ...pushJobs,
  ...reminderJobs,
  ...supportJobs,
  ...auditLogJobs,
  ...founderSessionJobs,
  ...healthJobs,
  ...alertJobs,
  ...monitoringJobs,
  ...moderationJobs,
  ...incidentJobs,
  ...organizationJobs,
]
