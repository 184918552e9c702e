import type { Connection } from '@privity/contract/connections'
import { fullName } from '../../../i18n/fullName.ts'
import { otherParty } from '../participants.ts'

/** Connections whose contact's first name, last name, full name or email contains the text, ignoring case. */
export function searchConnections(list: readonly Connection[], ownId: string, typed: string): readonly Connection[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter((connection) => {
    const party = otherParty(connection, ownId)
    return [fullName(party), party.email ?? ''].some((text) => text.toLowerCase().includes(wanted))
  })
}
