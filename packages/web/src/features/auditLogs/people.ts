import type { AuditActor, AuditTarget } from '@privity/contract/auditLogs'
import { fullName } from '../../core/fullName.ts'
import { auditTexts } from './texts.ts'

/** Who did it or whom it was done to. */
export type AuditParty = AuditActor | AuditTarget

export const partyWords = (party: AuditParty): string =>
  party.kind === 'member' ? fullName(party) : auditTexts.parties[party.kind]
