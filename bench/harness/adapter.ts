import { readFileSync } from 'node:fs'
import { connectOurs } from '../load/ourClient.ts'
import { seatOf } from '../load/people.ts'

/**
 * Adapts our server to an external load generator. The generator names each message by the text before the first full
 * stop: a number, or `s<pair>-<number>` for seeded history. Our messages carry a 32-bit number in contents of their own
 * instead; the adapter maps it back to the generator's text, or for history only to the name.
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

/**
 * `printed`: the file with the output of `bench/ours.ts`, its port. The accounts and pairs are those of `load/seed.ts`.
 */
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
