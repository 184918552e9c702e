import type { User } from '@privity/contract/session'

/** What a tab of Anna's has beside its drafts and what it sends: her account, and what other tabs tell it. */
export function createTabOfAnna() {
  const hearers = new Set<(sending: boolean) => void>()
  return {
    account: { state: { get: () => ({ status: 'open', user: { id: 'anna' } as User }) as const } },
    on(_: string, hear: (event: never) => void) {
      const mine = (sending: boolean) => hear({ connectionId: 'c', sending } as never)
      hearers.add(mine)
      return () => void hearers.delete(mine)
    },
    /** Another tab has changed the draft, or sends it. */
    hear(sending: boolean) {
      for (const each of hearers) each(sending)
    },
  }
}
