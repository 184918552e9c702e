import type { AuditActor, AuditLogEntry, AuditTarget } from '@privity/contract/auditLogs'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import { fullName } from '../../i18n/fullName.ts'
import { auditTexts } from './texts.ts'

/** Who did it or whom it was done to. */
export type AuditParty = AuditActor | AuditTarget

export function partyWords(party: AuditParty): string {
  if (party.kind === 'member') return fullName(party)
  return party.kind === 'deleted' ? auditTexts.deletedUser(deletedUserNumber(party.id)) : auditTexts.parties[party.kind]
}

/** What this person is called in these entries, if he is in one. */
export function nameIn(entries: readonly AuditLogEntry[], person: string): string | undefined {
  const parties: AuditParty[] = entries.flatMap(({ actor, target }) => (target ? [actor, target] : [actor]))
  const found = parties.find((party) => 'id' in party && party.id === person)
  return found && partyWords(found)
}
