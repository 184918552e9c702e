import type { DecryptedMessage } from '@privity/client'

/** The text to copy; undefined if the message has none. */
export const copyableText = ({ body }: DecryptedMessage): string | undefined =>
  body.kind === 'text' ? body.text : undefined

/** Only readable messages of the contact can be reported. */
export const canReport = ({ mine, body }: DecryptedMessage): boolean => !mine && body.kind !== 'unreadable'

export const hasActions = (message: DecryptedMessage): boolean =>
  copyableText(message) !== undefined || canReport(message)
