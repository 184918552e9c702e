import { session } from '@privity/contract/session'
import { type AccountKey, type Bytes, importAccountKey } from '@privity/e2ee'
import { createKeyStore } from '../../src/account/keyStore.ts'
import { systemClock } from '../../src/transport/clock.ts'
import type { Tab } from './stage.ts'

/** The bytes of the account key that this browser stores, opened as the client does, with the session's share. */
export async function rawAccountKeyOf({ client, device }: Tab): Promise<Bytes> {
  const stored = await createKeyStore(device, systemClock).open(await client.call(session.getUser, {}))
  if (stored === undefined) throw new Error('This browser stores no account key that opens.')
  return stored.raw
}

export const accountKeyOf = async (tab: Tab): Promise<AccountKey> => importAccountKey(await rawAccountKeyOf(tab))
