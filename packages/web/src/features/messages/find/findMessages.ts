import type { DecryptedMessage } from '@privity/client'

/** The part of a message that is searched. */
export const searchedText = ({ body }: DecryptedMessage): string =>
  body.kind === 'text' ? body.text : body.kind === 'file' ? body.name : ''

/** Ids of the messages whose text or file name contains the words in any case, oldest first; none for blank words. */
export function findMessages(messages: readonly DecryptedMessage[], words: string): string[] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return []
  return messages.filter((message) => searchedText(message).toLowerCase().includes(wanted)).map(({ id }) => id)
}
