import type { DecryptedMessage } from '@privity/client'

/** The text that Copy puts on the clipboard; undefined where a message has none. */
export const copyableText = ({ body }: DecryptedMessage): string | undefined =>
  body.kind === 'text' ? body.text : undefined

/** Only what somebody else wrote, and what could be read, can be reported. */
export const canReport = ({ mine, body }: DecryptedMessage): boolean => !mine && body.kind !== 'unreadable'

export const hasActions = (message: DecryptedMessage): boolean =>
  copyableText(message) !== undefined || canReport(message)
