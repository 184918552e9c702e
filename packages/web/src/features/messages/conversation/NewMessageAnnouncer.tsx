import { useEffect, useState } from 'react'
import type { Client, DecryptedMessage } from '@privity/client'
import { messageTexts as texts } from '../texts.ts'
import { onMessageExpired } from '../../../app/useClientEvents.ts'

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

/** Time for a screen reader to pick up the text, which is then removed from the page. */
const taken = 10_000

/** Passes each new message of the contact to `show`, and undefined once it was announced or has expired. */
export function followNewest(
  client: Pick<Client, 'on'>,
  connectionId: string,
  show: (heard: DecryptedMessage | undefined) => void,
): () => void {
  let clear = () => {}
  const off = client.on('message', (message) => {
    if (message.connectionId !== connectionId || message.mine) return
    clear()
    const end = () => {
      stop()
      show(undefined)
    }
    const timer = setTimeout(end, taken)
    const unfollow = onMessageExpired(client, message, end)
    const stop = () => {
      clearTimeout(timer)
      unfollow()
    }
    clear = stop
    show(message)
  })
  return () => {
    off()
    clear()
  }
}
