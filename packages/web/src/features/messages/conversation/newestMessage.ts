import type { Client, DecryptedMessage } from '@privity/client'
import { onMessageExpired } from '../../../app/messageExpiry.ts'

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
