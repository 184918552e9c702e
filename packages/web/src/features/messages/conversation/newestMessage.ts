import type { Client, DecryptedMessage } from '@privity/client'
import { untilGone } from '../../../app/messageExpiry.ts'

/** Time for a screen reader to have taken it up; nothing stays in the page longer than it is needed there. */
const taken = 10_000

/** Shows each message of the other party as it comes, for as long as it takes to be read out and while it exists. */
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
    const unfollow = untilGone(client, message, end)
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
