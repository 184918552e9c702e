import type { AuditLogEntry, AuditActor, AuditTarget } from '@privity/contract/auditLogs'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { formatDate } from '../../i18n/dateTime.ts'
import { humanize } from '../../app/auditEntry.tsx'
import { auditTexts } from './texts.ts'
import { deviceName, fullName } from '../../i18n/names.ts'

type Details = AuditLogEntry['details']

/** The action's translation, or its humanized name if a newer server sends an unknown action. */
export function describeAction(action: string): string {
  const known: Readonly<Record<string, string>> = auditTexts.actions
  if (Object.hasOwn(known, action)) return known[action] ?? action
  return humanize(action)
}

/** The day from which two-factor authentication is required; empty if the entry has no date. */
function describeStart(text: string): string {
  const from = Date.parse(text)
  return Number.isNaN(from) ? '' : auditTexts.changes.policy.twoFactorFrom(formatDate(from))
}

function describePolicy(details: Details): string {
  const { policy } = auditTexts.changes
  const words = Object.entries(details).map(([key, value]) => {
    if (key === 'allowedEmailDomains.after') return policy.allowedEmailDomains(String(value))
    if (key === 'twoFactor.after') return policy.twoFactor(value === true)
    if (key === 'twoFactorFrom.after') return describeStart(String(value))
    if (key === 'screenshotProtection.after') return policy.screenshotProtection(value === true)
    if (key === 'invitationOnly.after') return policy.invitationOnly(value === true)
    if (key === 'onlyApprovedBrowsers.after') return policy.onlyApprovedBrowsers(value === true)
    if (key === 'lockAfter.after') return policy.lockAfter(Number(value))
    if (key === 'pushForbidden.after') return policy.pushForbidden(value === true)
    if (key === 'directory.after') return policy.directory(value === true)
    if (key === 'watermark.after') return policy.watermark(value === true)
    return key === 'sessionTimeout.after' ? policy.sessionTimeout(value === true) : ''
  })
  return words.filter(Boolean).join(', ')
}

function describeRole({ before, after }: Details): string {
  const roles: Readonly<Record<string, string>> = auditTexts.changes.roles
  const [from, to] = [roles[String(before)], roles[String(after)]]
  return from !== undefined && to !== undefined ? auditTexts.changes.role(from, to) : ''
}

/** Names what an entry has changed: the new value of a policy or role, or which browser. */
function describeChange({ action, details }: Pick<AuditLogEntry, 'action' | 'details'>): string {
  if (action === 'policy_changed') return describePolicy(details)
  if (action === 'user_role_changed') return describeRole(details)
  return typeof details['browser'] === 'string' ? deviceName(details['browser']) : ''
}

/** Describes an entry with what it has changed. */
export function describeEntry(entry: Pick<AuditLogEntry, 'action' | 'details'>): string {
  const { action, details } = entry
  if (action === 'connection_removed' && details['accountDeleted'] === true) return auditTexts.changes.endedWithAccount
  const changed = describeChange(entry)
  return changed === '' ? describeAction(action) : `${describeAction(action)}: ${changed}`
}

/** The actor or target of an entry. */
export type AuditPerson = AuditActor | AuditTarget

export function auditPersonName(person: AuditPerson): string {
  if (person.kind === 'member') return fullName(person)
  return person.kind === 'deleted'
    ? auditTexts.deletedUser(deletedUserNumber(person.id))
    : auditTexts.parties[person.kind]
}

/** The person's name in these entries, if they occur in one. */
export function findPersonName(entries: readonly AuditLogEntry[], id: string): string | undefined {
  const people: AuditPerson[] = entries.flatMap(({ actor, target }) => (target ? [actor, target] : [actor]))
  const found = people.find((person) => 'id' in person && person.id === id)
  return found && auditPersonName(found)
}
