import type { Endpoint, Result } from '@privity/contract/endpoint'
import { files } from '@privity/contract/files'
import { notifications } from '@privity/contract/notifications'
import { session } from '@privity/contract/session'
import type { Member, TestServer } from '../server/testServer.ts'
import type { Caller } from '../server/caller.ts'
import { grantFor } from './conversation.ts'

type Page = Result<typeof notifications.list>

/**
 * Actions that create notifications, and queries for them. Notifications of one millisecond have no order, so each
 * action advances the clock.
 */
export interface Notified {
  tick(): void
  list(member: Caller, query?: { limit?: number; before?: string }): Promise<Page>
  kinds(member: Caller): Promise<Page['notifications'][number]['kind'][]>
  ask(member: Member, filePath: string): Promise<Result<typeof files.request>>
  decide(member: Member, id: string, authorize: boolean): Promise<Result<typeof files.decide>>
  /** Signs in to the account from a new phone, or from `from`. */
  signIn(member: Member, from?: Caller): Promise<Caller>
  /** Connects `count` new members with this one; returns the oldest connection first. */
  connectMany(member: Member, count: number): Promise<Member[]>
}

const phone = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile) Firefox/140.0' }

const bodyOf = (endpoint: Endpoint, body: object) => [endpoint.method, endpoint.path, body, phone] as const

export function createNotified(server: TestServer): Notified {
  const tick = () => server.clock.advance(1)
  const list: Notified['list'] = (member, query = {}) => member.call(notifications.list, { query })
  return {
    tick,
    list,
    kinds: async (member) => (await list(member)).notifications.map(({ kind }) => kind),
    ask(member, filePath) {
      tick()
      return member.call(files.request, { body: { filePath } })
    },
    async decide(member, id, authorize) {
      tick()
      const body = { authorize, ...(authorize ? { grant: await grantFor(server, id) } : {}) }
      return member.call(files.decide, { params: { id }, body })
    },
    async signIn({ user, password }, from = server.visitor()) {
      tick()
      const { status } = await from.request(...bodyOf(session.login, { username: user.username, password }))
      if (status !== 200) throw new Error(`signing in answered ${status}`)
      return from
    },
    async connectMany(member, count) {
      const others: Member[] = []
      for (let at = 0; at < count; at++) {
        const other = await server.signUp()
        tick()
        await server.connect(other, member)
        others.push(other)
      }
      return others
    },
  }
}
