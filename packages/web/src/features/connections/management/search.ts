import type { Connection } from '@privity/contract/connections'
import { fullName } from '../../../i18n/fullName.ts'
import { otherParty } from '../participants.ts'

/** Those whose other party has the text in first name, last name, both, or email, in whatever case. */
export function searchConnections(list: readonly Connection[], ownId: string, typed: string): readonly Connection[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter((connection) => {
    const party = otherParty(connection, ownId)
    return [fullName(party), party.email ?? ''].some((text) => text.toLowerCase().includes(wanted))
  })
}
