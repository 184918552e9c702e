import type { Client, DecryptedMessage } from '@privity/client'
import { OwnFile } from './OwnFile.tsx'
import { type FileMessage, ReceivedFile } from './ReceivedFile.tsx'

interface FileMessageRowProps {
  client: Client
  message: DecryptedMessage
  recipient: string
  onReview: () => void
  onReviewKey: () => void
}

const isFile = (message: DecryptedMessage): message is FileMessage =>
  message.body.kind === 'file' && message.filePath !== undefined

/** A file in the conversation, as its owner or its recipient sees it. */
export function FileMessageRow({ client, message, recipient, onReview, onReviewKey }: FileMessageRowProps) {
  if (!isFile(message)) return null
  if (!message.mine) return <ReceivedFile client={client} message={message} />
  return (
    <OwnFile client={client} message={message} recipient={recipient} onReview={onReview} onReviewKey={onReviewKey} />
  )
}
