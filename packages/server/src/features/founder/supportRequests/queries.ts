import type { Reader, Tx } from '../../../core/database/types.ts'
import type { SupportRequestRow } from '../../../core/database/tables/founder.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

export type RequestOfMember = SupportRequestRow & Pick<UserRow, 'username' | 'email' | 'first_name' | 'last_name'>

const listed = `select r.*, u.username, u.email, u.first_name, u.last_name
  from support_requests r join users u on u.id = r.user_id`

interface Wanted {
  state: SupportRequestRow['state'] | undefined
  after: string | undefined
  limit: number
}

/** Ids grow with time: descending ids are newest first. */
export function selectRequests(db: Reader, { state, after, limit }: Wanted): Promise<RequestOfMember[]> {
  const conditions = [...(state === undefined ? [] : ['r.state = ?']), ...(after === undefined ? [] : ['r.id < ?'])]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const params = [state, after].filter((value) => value !== undefined)
  return db.all(`${listed} ${where} order by r.id desc limit ?`, [...params, limit])
}

export const selectRequest = (db: Reader, id: string) => db.get<RequestOfMember>(`${listed} where r.id = ?`, [id])

export const countOpenRequests = async (db: Reader): Promise<number> =>
  (await db.get<{ open: number }>("select count(*) as open from support_requests where state = 'open'"))?.open ?? 0

export const updateState = (tx: Tx, id: string, state: SupportRequestRow['state']) =>
  tx.run('update support_requests set state = ? where id = ?', [state, id])
