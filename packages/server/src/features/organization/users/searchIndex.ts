import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'

/** Fields by which a user is found and sorted. */
export interface NamedUser {
  firstName: string
  lastName: string
  username: string
  email: string
}

const maxCharacters = 64
const maxWords = 24
const maxSearchWords = 8

/** Removes case, accents and other forms of the same letter. */
const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

const truncate = (word: string) => Array.from(word).slice(0, maxCharacters).join('')

/** Returns the key that sorts users by name as it is shown: first name first. */
export const nameKey = ({ firstName, lastName }: Pick<NamedUser, 'firstName' | 'lastName'>): string =>
  Array.from(fold(`${firstName} ${lastName}`))
    .slice(0, 2 * maxCharacters)
    .join('')

/** For every start of a word, returns the text from there to the next space: osei@example.com, example.com, com. */
const wordTails = (text: string): string[] => {
  const wordStarts = /(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu
  return text.split(/\s+/).flatMap((part) => [...part.matchAll(wordStarts)].map(({ index }) => part.slice(index)))
}

/**
 * Returns the words whose prefixes find a user. A word that is itself a prefix of another one is left out: the longer
 * word is found by the same searches.
 */
export function indexWords({ firstName, lastName, username, email }: NamedUser): string[] {
  const sorted = [
    ...new Set([email, username, firstName, lastName].flatMap((text) => wordTails(fold(text)).map(truncate))),
  ]
    .slice(0, 4 * maxWords)
    .toSorted()
  return sorted.filter((word, index) => !(sorted[index + 1]?.startsWith(word) ?? false)).slice(0, maxWords)
}

/** Splits a search into words in the form of `indexWords`; more than a few do not narrow the result. */
export const splitSearch = (search: string): string[] => {
  const parts = fold(search).split(/\s+/)
  const words = parts.map((part) => truncate(part.replace(/^[^\p{L}\p{N}]+/u, ''))).filter((word) => word !== '')
  return [...new Set(words)].slice(0, maxSearchWords)
}

/** Updates the user's search words and sort key; call it after every change of a name or an address. */
export async function updateSearchIndex(tx: Tx, userId: string): Promise<void> {
  const user = await tx.get<Pick<UserRow, 'first_name' | 'last_name' | 'username' | 'email' | 'organization_id'>>(
    'select first_name, last_name, username, email, organization_id from users where id = ?',
    [userId],
  )
  if (user === undefined) return
  const { username, email, organization_id: organizationId } = user
  const names = { firstName: user.first_name, lastName: user.last_name, username, email }
  const key = nameKey(names)
  await tx.run('update users set name_key = ? where id = ?', [key, userId])
  await tx.run('delete from user_words where user_id = ?', [userId])
  for (const word of indexWords(names))
    await tx.run('insert into user_words (user_id, word, organization_id, name_key) values (?, ?, ?, ?)', [
      userId,
      word,
      organizationId,
      key,
    ])
}
