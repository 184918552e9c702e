import type { Client } from './client.ts'
import { sleep } from './stats.ts'

/** Counts numbered messages: which were sent, arrived and acknowledged, how often and how late. */
export interface Traffic {
  send(from: Sender): void
  /** Waits until every message has arrived, or nothing has changed for half a minute. */
  drain(): Promise<void>
  counts(): Counts
}

export interface Counts {
  sent: number
  lost: number
  doubled: number
  failed: string[]
}

type Sender = Pick<Client, 'onMessage' | 'onClose' | 'send'>

/** Numbers continue from one run to the next, so that no message repeats one of an earlier run. */
let base = 0

/** Calls `done` for each message that has both arrived and been acknowledged to its sender. */
export function traffic<S extends Sender>(
  senders: readonly S[],
  done: (recipient: S, latency: number) => void,
): Traffic {
  const first = base
  const sentAt: number[] = []
  const arrivedAt: number[] = []
  const recipients: S[] = []
  const acknowledged: boolean[] = []
  const failed: string[] = []
  let [arrived, answered, doubled] = [0, 0, 0]

  const finish = (i: number) => {
    if (arrivedAt[i] === undefined || !acknowledged[i]) return
    done(recipients[i] as S, arrivedAt[i] - (sentAt[i] as number))
  }
  for (const sender of senders) {
    sender.onMessage = (number) => {
      const i = number - first
      if (sentAt[i] === undefined) failed.push(`message ${number} was never sent`)
      else if (arrivedAt[i] !== undefined) doubled += 1
      else {
        arrivedAt[i] = performance.now()
        recipients[i] = sender
        arrived += 1
        finish(i)
      }
    }
    sender.onClose = () => failed.push('connection lost')
  }
  return {
    send(from) {
      const i = sentAt.length
      sentAt.push(performance.now())
      base += 1
      from.send(first + i).then(
        () => {
          acknowledged[i] = true
          answered += 1
          finish(i)
        },
        (error: Error) => failed.push(error.message),
      )
    },
    async drain() {
      for (let quiet = 0, seen = -1; quiet < 600 && (arrived < sentAt.length || answered < sentAt.length); quiet++) {
        if (seen !== arrived + answered) [quiet, seen] = [0, arrived + answered]
        await sleep(50)
      }
    },
    counts: () => ({ sent: sentAt.length, lost: sentAt.length - arrived, doubled, failed }),
  }
}
