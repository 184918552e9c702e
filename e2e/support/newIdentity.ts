import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import type { Person } from './people.ts'
import type { RunningServer } from './server.ts'

/** Puts new keys in the place of a person's behind everybody's back, as only the server itself can. */
export async function exchangeKeys({ dataDir }: RunningServer, { username }: Person): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'privity.db'))
  database.exec('pragma busy_timeout = 5000')
  const { id } = database.prepare('select id from users where username = ?').get(username) as { id: string }
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch } = await createEpoch({ identity, userId: id, n: 1, createdAt: Date.now() })
  database.prepare('update users set identity_key = ? where id = ?').run(identity.publicKey, id)
  database
    .prepare('update epochs set public_key = ?, previous_hash = ?, signature = ?, created_at = ? where user_id = ?')
    .run(epoch.publicKey, epoch.previousHash, epoch.signature, epoch.createdAt, id)
  database.close()
}
