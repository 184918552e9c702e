import { useEffect, useState } from 'react'
import type { Client, DecryptedMessage } from '@privity/client'
import { followNewest } from './newestMessage.ts'
import { messageTexts as texts } from '../texts.ts'

interface NewMessageAnnouncerProps {
  client: Client
  connectionId: string
  firstName: string
}

/** Announces each new message to screen readers while the conversation is open; never older ones or updated times. */
export function NewMessageAnnouncer({ client, connectionId, firstName }: NewMessageAnnouncerProps) {
  const [heard, setHeard] = useState<DecryptedMessage>()
  useEffect(() => followNewest(client, connectionId, setHeard), [client, connectionId])
  return (
    <div className="sr" aria-live="polite">
      {heard && <p key={heard.id}>{words(heard, firstName)}</p>}
    </div>
  )
}

function words({ body }: DecryptedMessage, firstName: string): string {
  if (body.kind === 'text') return texts.heard(firstName, body.text)
  return body.kind === 'file' ? texts.heardFile(firstName, body.name) : texts.heardUnreadable(firstName)
}
