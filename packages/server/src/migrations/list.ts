import type { Migration } from 'kysely/migration'
import * as moderation from './021-moderation.ts'
import * as processes from './027-processes.ts'
import * as initial from './001-initial.ts'
import * as preferences from './002-preferences.ts'
import * as secondFactor from './004-second-factor.ts'
import * as connections from './005-connections.ts'
import * as support from './007-support.ts'
import * as privacy from './008-privacy.ts'
import * as securityEvents from './009-security-events.ts'
import * as recoveryKeyRenewals from './010-recovery-key-renewals.ts'
import * as organizations from './011-organizations.ts'
import * as failuresSettled from './013-failures-settled.ts'
import * as keyReplacement from './014-key-replacement.ts'
import * as proposedPasswords from './015-proposed-passwords.ts'
import * as monitoring from './017-monitoring.ts'
import * as authenticatorSetups from './022-authenticator-setups.ts'
import * as founderLists from './019-founder-lists.ts'
import * as founder from './016-founder.ts'
import * as formerContacts from './022-former-contacts.ts'
import * as confirmedSessions from './023-confirmed-sessions.ts'
import * as confirmedFounderSessions from './024-confirmed-founder-sessions.ts'
import * as incidents from './018-incidents.ts'
import * as auditProof from './012-audit-proof.ts'
import * as alerts from './020-alerts.ts'
import * as messagesByProcess from './033-messages-by-process.ts'
import * as unsavedRecoveryKeys from './035-unsaved-recovery-keys.ts'
import * as auditExports from './036-audit-exports.ts'
import * as sendingVersions from './037-sending-versions.ts'
import * as openedReports from './038-opened-reports.ts'
import * as usedCodes from './038-used-codes.ts'
import * as notifications from './006-notifications.ts'
import * as oldestOrganization from './039-oldest-organization.ts'
import * as accountNotices from './040-account-notices.ts'
import * as messageIdentities from './041-message-identities.ts'
import * as healthPages from './042-health-pages.ts'
import * as renewedSessions from './043-renewed-sessions.ts'
import * as connectionEndings from './044-connection-endings.ts'
import * as passwordVersions from './045-password-versions.ts'
import * as incidentAcknowledgements from './046-incident-acknowledgements.ts'

export interface Step extends Migration {
  /**
   * After it the release before cannot go on: it refuses to run beside other processes. All others only add (what a
   * process does not know of it does not miss), so that old processes serve on while a new one migrates.
   */
  readonly alone?: boolean
}

export type Migrations = Readonly<Record<string, Step>>

/** Every migration ever released, by name; they run in the order of their names. */
export const migrations: Migrations = {
  '001-initial': initial,
  '002-preferences': preferences,
  '004-second-factor': secondFactor,
  '005-connections': connections,
  '007-support': support,
  '008-privacy': privacy,
  '009-security-events': securityEvents,
  '006-notifications': notifications,
  '020-alerts': alerts,
  '010-recovery-key-renewals': recoveryKeyRenewals,
  '011-organizations': organizations,
  '013-failures-settled': failuresSettled,
  '014-key-replacement': keyReplacement,
  '015-proposed-passwords': proposedPasswords,
  '017-monitoring': monitoring,
  '022-authenticator-setups': authenticatorSetups,
  '022-former-contacts': formerContacts,
  '018-incidents': incidents,
  '012-audit-proof': auditProof,
  '019-founder-lists': founderLists,
  '016-founder': founder,
  '023-confirmed-sessions': confirmedSessions,
  '024-confirmed-founder-sessions': confirmedFounderSessions,
  '021-moderation': moderation,
  '027-processes': processes,
  '033-messages-by-process': messagesByProcess,
  '035-unsaved-recovery-keys': unsavedRecoveryKeys,
  '036-audit-exports': auditExports,
  '037-sending-versions': sendingVersions,
  '038-opened-reports': openedReports,
  '038-used-codes': usedCodes,
  '039-oldest-organization': oldestOrganization,
  '040-account-notices': accountNotices,
  '041-message-identities': messageIdentities,
  '042-health-pages': healthPages,
  '043-renewed-sessions': renewedSessions,
  '044-connection-endings': connectionEndings,
  '045-password-versions': passwordVersions,
  '046-incident-acknowledgements': incidentAcknowledgements,
}
