import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'
import { nameKey, searchWords } from '../../../core/userNames.ts'

/** Updates the user's search words and sort key; call it after every change of a name or an address. */
export async function keepFindable(tx: Tx, userId: string): Promise<void> {
  const user = await tx.get<Pick<UserRow, 'first_name' | 'last_name' | 'username' | 'email' | 'organization_id'>>(
    'select first_name, last_name, username, email, organization_id from users where id = ?',
    [userId],
  )
  if (user === undefined) return
  const { username, email, organization_id: organizationId } = user
  const named = { firstName: user.first_name, lastName: user.last_name, username, email }
  const key = nameKey(named)
  await tx.run('update users set name_key = ? where id = ?', [key, userId])
  await tx.run('delete from user_words where user_id = ?', [userId])
  for (const word of searchWords(named))
    await tx.run('insert into user_words (user_id, word, organization_id, name_key) values (?, ?, ?, ?)', [
      userId,
      word,
      organizationId,
      key,
    ])
}
