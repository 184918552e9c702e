import { parseArgs } from 'node:util'
import { filledOrganization } from './load/organization.ts'
import { median } from './load/stats.ts'

/**
 * A page of an organization's users, or of all users for the founder, sorted, searched and far from the beginning:
 * 100,000 users against 1,000, in turns in one process, in milliseconds of processor time. Target: never more than 50.
 */
const { values: options } = parseArgs({
  options: { users: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '60' } },
})
const [few, many] = [await filledOrganization(1_000), await filledOrganization(Number(options.users))]

type Server = typeof few

const users = '/api/organizations/users'
const everybody = '/api/founder/users'

/** The URL of a page in the middle of the list. */
async function middleOf(server: Server, query: string, count: number, list = users): Promise<string> {
  let after = ''
  for (let at = 0; at < count / 2; at += 200) {
    const { body } = await server.get(`${list}?${query}&limit=200${after}`)
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  return `${list}?${query}${after}`
}

const same = (url: string) => async () => url
const asked: { what: string; url: (server: Server, count: number) => Promise<string> }[] = [
  { what: 'the organization with its first page', url: same('/api/organizations/current') },
  ...['name', 'email', 'role', 'status', 'joined'].map((sort) => ({
    what: `sorted by ${sort}`,
    url: same(`${users}?sort=${sort}`),
  })),
  { what: 'sorted by joined, newest first', url: same(`${users}?sort=joined&direction=desc`) },
  { what: 'in the middle, by name', url: (server, count) => middleOf(server, 'sort=name', count) },
  { what: 'in the middle, by status', url: (server, count) => middleOf(server, 'sort=status', count) },
  { what: 'search: one person', url: same(`${users}?search=member.777`) },
  { what: 'search: nobody', url: same(`${users}?search=zzz`) },
  { what: 'search: a first name of one in twelve', url: same(`${users}?search=jurgen`) },
  { what: 'search: a domain of one in ten', url: same(`${users}?search=riga.example.com`) },
  { what: 'search: a domain of all', url: same(`${users}?search=com&sort=joined`) },
  { what: 'search: two words', url: same(`${users}?search=hanna+weiss`) },
  { what: 'search: two words, one of all', url: same(`${users}?search=chloe+example`) },
  ...['name', 'email', 'joined'].map((sort) => ({
    what: `founder: sorted by ${sort}`,
    url: same(`${everybody}?sort=${sort}`),
  })),
  { what: 'founder: in the middle', url: (server, count) => middleOf(server, 'sort=name', count, everybody) },
  { what: 'founder: one person', url: same(`${everybody}?search=member.777`) },
  { what: 'founder: one letter', url: same(`${everybody}?search=j`) },
  { what: 'founder: a domain of all', url: same(`${everybody}?search=com&sort=joined`) },
  { what: 'founder: two words', url: same(`${everybody}?search=hanna+weiss`) },
  { what: 'founder: locked accounts', url: same('/api/founder/locked-accounts') },
]

console.log(
  `median of ${options.rounds} calls, ms of processor time: 1,000 users, ${Number(options.users).toLocaleString('en')} users, ratio`,
)
let worst = 0
for (const { what, url } of asked) {
  const [short, long] = [await url(few, 1_000), await url(many, Number(options.users))]
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < Number(options.rounds) + 10; round++) {
    const [a, b] = [await few.get(short), await many.get(long)]
    if (round < 10) continue
    times[0].push(a.ms)
    times[1].push(b.ms)
  }
  const [one, other] = [median(times[0]), median(times[1])]
  worst = Math.max(worst, other)
  console.log(
    `${what.padEnd(42)} ${one.toFixed(2).padStart(7)} ${other.toFixed(2).padStart(7)} ${(other / one).toFixed(2).padStart(7)}`,
  )
}
console.log(`slowest: ${worst.toFixed(1)} ms (target under 50)`)
await Promise.all([few.stop(), many.stop()])
