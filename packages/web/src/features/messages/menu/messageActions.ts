import type { DecryptedMessage } from '@privity/client'

/** The text to copy; undefined if the message has none. */
export const copyableText = ({ body }: DecryptedMessage): string | undefined =>
  body.kind === 'text' ? body.text : undefined

/** Whether it can be read: text or file. */
const isReadable = ({ body }: DecryptedMessage): boolean => body.kind === 'text' || body.kind === 'file'

/** Only readable messages of the contact can be reported. */
export const canReport = (message: DecryptedMessage): boolean => !message.mine && isReadable(message)

/** Only readable own messages can be deleted: the signature names what was signed in them. */
export const canDelete = (message: DecryptedMessage): boolean => message.mine && isReadable(message)

export const hasActions = isReadable
