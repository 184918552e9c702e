import { type Connection, connections as contract } from '@privity/contract/connections'
import type { Call } from '../transport/call.ts'
import { CallError } from '../transport/callError.ts'

/** How long messages live that are sent in each conversation now, in milliseconds. */
export interface Lifetimes {
  /** Asks the server where it is not known. Throws CONNECTION_NOT_FOUND. */
  of(connectionId: string): Promise<number>
  /** The server has said how long they live. */
  record(connection: Pick<Connection, 'id' | 'lifetime'>): void
  forget(connectionId: string): void
}

export function createLifetimes({ call, retention }: { call: Call; retention: () => number }): Lifetimes {
  const known = new Map<string, number>()
  let loading: Promise<void> | undefined

  const record = ({ id, lifetime }: Pick<Connection, 'id' | 'lifetime'>) => void known.set(id, lifetime)

  async function load(): Promise<void> {
    for (const each of await call(contract.list, {})) record(each)
  }

  return {
    async of(connectionId) {
      if (!known.has(connectionId)) await (loading ??= load().finally(() => (loading = undefined)))
      const lifetime = known.get(connectionId)
      if (lifetime === undefined) throw new CallError('CONNECTION_NOT_FOUND')
      return Math.min(lifetime, retention())
    },
    record,
    forget: (connectionId) => void known.delete(connectionId),
  }
}
