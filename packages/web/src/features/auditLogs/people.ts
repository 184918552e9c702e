import type { AuditActor, AuditLogEntry, AuditTarget } from '@privity/contract/auditLogs'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { fullName } from '../../i18n/fullName.ts'
import { auditTexts } from './texts.ts'

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
