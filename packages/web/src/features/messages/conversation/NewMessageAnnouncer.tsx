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
  const [newest, setNewest] = useState<DecryptedMessage>()
  useEffect(() => followNewest(client, connectionId, setNewest), [client, connectionId])
  return (
    <div className="sr" aria-live="polite">
      {newest && <p key={newest.id}>{words(newest, firstName)}</p>}
    </div>
  )
}

function words({ body }: DecryptedMessage, firstName: string): string {
  if (body.kind === 'text') return texts.heard(firstName, body.text)
  return body.kind === 'file' ? texts.heardFile(firstName, body.name) : texts.heardUnreadable(firstName)
}

/** Time for a screen reader to pick up the text, which is then removed from the page. */
const announcementMs = 10_000

/** Passes each new message of the contact to `show`, and undefined once it was announced or has expired. */
export function followNewest(
  client: Pick<Client, 'on'>,
  connectionId: string,
  show: (newest: DecryptedMessage | undefined) => void,
): () => void {
  let clear = () => {}
  const off = client.on('message', (message) => {
    if (message.connectionId !== connectionId || message.mine) return
    clear()
    const end = () => {
      stop()
      show(undefined)
    }
    const timer = setTimeout(end, announcementMs)
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
