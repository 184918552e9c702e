import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** Fields by which a user is found and sorted. */
export interface Named {
  firstName: string
  lastName: string
  username: string
  email: string
}

const mostCharacters = 64
const mostWords = 24
const mostTyped = 8

/** Removes case, accents and other forms of the same letter. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

const keep = (word: string) => Array.from(word).slice(0, mostCharacters).join('')

/** Returns the key that sorts users by name as it is shown: first name first. */
export const nameKey = ({ firstName, lastName }: Pick<Named, 'firstName' | 'lastName'>): string =>
  Array.from(fold(`${firstName} ${lastName}`))
    .slice(0, 2 * mostCharacters)
    .join('')

/** For every start of a word, returns the text from there to the next space: osei@example.com, example.com, com. */
const tails = (text: string): string[] => {
  const begins = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu
  return text.split(/\s+/).flatMap((part) => [...part.matchAll(begins)].map(({ index }) => part.slice(index)))
}

/**
 * Returns the words whose prefixes find a user. A word that is itself a prefix of another one is left out: the longer
 * word is found by the same searches.
 */
export function searchWords({ firstName, lastName, username, email }: Named): string[] {
  const sorted = [...new Set([email, username, firstName, lastName].flatMap((text) => tails(fold(text)).map(keep)))]
    .slice(0, 4 * mostWords)
    .toSorted()
  return sorted.filter((word, at) => !(sorted[at + 1]?.startsWith(word) ?? false)).slice(0, mostWords)
}

/** Splits a search into words in the form of `searchWords`; more than a few do not narrow the result. */
export const typedWords = (search: string): string[] => {
  const parts = fold(search).split(/\s+/)
  const words = parts.map((part) => keep(part.replace(/^[^\p{L}\p{N}]+/u, ''))).filter((word) => word !== '')
  return [...new Set(words)].slice(0, mostTyped)
}

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
