import type { AuditLogEntry, AuditActor, AuditTarget } from '@privity/contract/auditLogs'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { formatDate } from '../../i18n/dateTime.ts'
import { humanize } from '../../app/auditEntry.tsx'
import { auditTexts } from './texts.ts'
import { fullName } from '../../i18n/names.ts'

type Details = AuditLogEntry['details']

/** The action's translation, or its humanized name if a newer server sends an unknown action. */
export function actionWords(action: string): string {
  const known: Readonly<Record<string, string>> = auditTexts.actions
  if (Object.hasOwn(known, action)) return known[action] ?? action
  return humanize(action)
}

/** The day from which two-factor authentication is required; empty if the entry has no date. */
function fromWords(text: string): string {
  const from = Date.parse(text)
  return Number.isNaN(from) ? '' : auditTexts.changes.policy.twoFactorFrom(formatDate(from))
}

function policyWords(details: Details): string {
  const { policy } = auditTexts.changes
  const words = Object.entries(details).map(([key, value]) => {
    if (key === 'allowedEmailDomains.after') return policy.allowedEmailDomains(String(value))
    if (key === 'twoFactor.after') return policy.twoFactor(value === true)
    if (key === 'twoFactorFrom.after') return fromWords(String(value))
    if (key === 'screenshotProtection.after') return policy.screenshotProtection(value === true)
    if (key === 'invitationOnly.after') return policy.invitationOnly(value === true)
    if (key === 'watermark.after') return policy.watermark(value === true)
    return key === 'sessionTimeout.after' ? policy.sessionTimeout(value === true) : ''
  })
  return words.filter(Boolean).join(', ')
}

function roleWords({ before, after }: Details): string {
  const roles: Readonly<Record<string, string>> = auditTexts.changes.roles
  const [from, to] = [roles[String(before)], roles[String(after)]]
  return from !== undefined && to !== undefined ? auditTexts.changes.role(from, to) : ''
}

/** Describes an entry, including the new value for a changed policy or role. */
export function entryWords({ action, details }: Pick<AuditLogEntry, 'action' | 'details'>): string {
  if (action === 'connection_removed' && details['accountDeleted'] === true) return auditTexts.changes.endedWithAccount
  const changed =
    action === 'policy_changed' ? policyWords(details) : action === 'user_role_changed' ? roleWords(details) : ''
  return changed === '' ? actionWords(action) : `${actionWords(action)}: ${changed}`
}

/** The actor or target of an entry. */
export type AuditParty = AuditActor | AuditTarget

export function partyWords(party: AuditParty): string {
  if (party.kind === 'member') return fullName(party)
  return party.kind === 'deleted' ? auditTexts.deletedUser(deletedUserNumber(party.id)) : auditTexts.parties[party.kind]
}

/** The person's name in these entries, if they occur in one. */
export function nameIn(entries: readonly AuditLogEntry[], person: string): string | undefined {
  const parties: AuditParty[] = entries.flatMap(({ actor, target }) => (target ? [actor, target] : [actor]))
  const found = parties.find((party) => 'id' in party && party.id === person)
  return found && partyWords(found)
}
