import { readFileSync } from 'node:fs'
import { connectOurs } from '../load/ourClient.ts'
import { seatOf } from '../load/people.ts'

/**
 * Ours for a load generator of somebody else's. It names each message by what stands before the first full stop: a
 * number, or `s<pair>-<number>` in a past. Ours carries a number of 32 bits instead, in contents of its own; what the
 * generator wrote is given back to it, of a past only the name.
 */
const past = 0x8000_0000
const pastLength = 10_000

export function numberIn(content: string): number {
  const name = content.slice(0, content.indexOf('.'))
  const [, pair, at] = /^s(\d+)-(\d+)$/.exec(name) ?? []
  return pair === undefined ? Number(name) : past + Number(pair) * pastLength + Number(at)
}

export function contentWith(number: number): string {
  const at = number - past
  return at < 0 ? `${number}.` : `s${Math.floor(at / pastLength)}-${at % pastLength}.`
}

interface Creds {
  at: number
}

/** `printed`: the file with what `bench/ours.ts` printed, its port. The accounts and pairs are those of `load/seed.ts`. */
export function adapterOf(printed: string) {
  const port = () => (JSON.parse(readFileSync(printed, 'utf8')) as { port: number }).port
  const underWay = new Map<number, string>()
  return {
    acks: true,
    register: (at: number) => Promise.resolve<Creds>({ at }),
    link: () => Promise.resolve(),
    async connect({ at }: Creds, { localAddress }: { localAddress?: string } = {}) {
      const ours = await connectOurs(port(), seatOf(at, 'privity_session'), localAddress)
      const client = {
        onMessage: (_content: string) => {},
        onError: (_text: string) => {},
        onClose: (_error: Error) => {},
        send(_peer: Creds, content: string) {
          const number = numberIn(content)
          underWay.set(number, content)
          return ours.send(number)
        },
        history: async (_peer: Creds, count: number) => (await ours.past(count)).map(contentWith),
        close: () => ours.close(),
        destroy: () => ours.drop(),
      }
      ours.onMessage = (number) => {
        client.onMessage(underWay.get(number) ?? contentWith(number))
        underWay.delete(number)
      }
      ours.onClose = () => client.onClose(new Error('the socket was closed'))
      return client
    },
  }
}
