import type { Background } from '../jobs/background.ts'
import type { Db, Reader } from '../database/types.ts'
import { type CostShare, nonceAndTagCharacters, type Passwords } from './passwords.ts'

const interval = 60 * 60 * 1000

/** Groups accounts by the part of their hash before its nonce. */
const selectCosts = (db: Reader) =>
  db.all<CostShare>(
    `select substr(password_hash, 1, length(password_hash) - ${nonceAndTagCharacters}) as prefix, count(*) as accounts
     from users where length(password_hash) > ${nonceAndTagCharacters} group by 1 order by 1`,
  )

/** Gives `passwords` the costs in use, once at the start and then every hour until no account has a former one. */
export async function followPasswordCosts(passwords: Passwords, db: Db, background: Background): Promise<void> {
  const read = async () => {
    const costs = await selectCosts(db.read)
    if (!passwords.setCosts(costs)) stop()
  }
  const stop = background.clock.every(interval, () => background.run('count the costs of passwords', read))
  await read()
}
