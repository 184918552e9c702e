import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import { stored } from '../servers/database.ts'
import type { Person } from './people.ts'
import type { RunningServer } from '../servers/server.ts'

/**
 * Replaces a person's keys without the knowledge of either browser, as only the server could: by those of an identity
 * whose only epoch begins at `startsAt`, now by default.
 */
export async function exchangeKeys(server: RunningServer, { username }: Person, startsAt = Date.now()): Promise<void> {
  const [user] = await stored<{ id: string }>(server, 'select id from users where username = ?', username)
  if (!user) throw new Error(`There is no ${username}.`)
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({ identity, userId: user.id, n: 1, createdAt: startsAt, startsAt })
  await stored(server, 'update users set identity_key = ? where id = ?', identity.publicKey, user.id)
  await stored(server, 'delete from epochs where user_id = ? and n > 1', user.id)
  await stored(
    server,
    `update epochs set public_key = ?, previous_hash = ?, signature = ?, created_at = ?, starts_at = ?, ends_at = ?,
       used_until = ? where user_id = ?`,
    epoch.publicKey,
    epoch.previousHash,
    epoch.signature,
    epoch.createdAt,
    epoch.startsAt,
    epoch.endsAt,
    epoch.endsAt,
    user.id,
  )
}
