import type { BlockedPerson, Connection } from '@privity/contract/connections'
import { type Colleague, type ConnectionRequests, directory as contract } from '@privity/contract/directory'
import type { Call } from './transport/call.ts'

/** Colleagues of one's own organization. Each call throws DIRECTORY_OFF where the organization has no directory. */
export interface Directory {
  /** Colleagues whose names have words that begin like those of `name`. `more`: there are further ones. */
  search(name: string): Promise<{ colleagues: Colleague[]; more: boolean }>
  /** Open requests, newest first; none without a directory. */
  requests(): Promise<ConnectionRequests>
  /** Asks a colleague to connect. Resolves with the connection if the colleague had asked too. */
  request(userId: string): Promise<Connection | undefined>
  /** Connects with the sender of a request. */
  accept(id: string): Promise<Connection>
  /** The sender is not notified. */
  decline(id: string): Promise<void>
  /** Declines a request and blocks its sender, who is not notified. */
  block(id: string): Promise<BlockedPerson>
  withdraw(id: string): Promise<void>
}

interface DirectoryDeps {
  call: Call
  /** Makes a connection here, checks and records it. */
  recordMade: <T extends Connection | undefined>(make: () => Promise<T>) => Promise<T>
}

export const createDirectory = ({ call, recordMade }: DirectoryDeps): Directory => ({
  search: (name) => call(contract.search, { query: { name } }),
  requests: () => call(contract.requests, {}),
  request: (userId) => recordMade(async () => (await call(contract.request, { body: { userId } })).connection),
  accept: (id) => recordMade(() => call(contract.accept, { params: { id } })),
  decline: async (id) => void (await call(contract.decline, { params: { id } })),
  block: (id) => call(contract.block, { params: { id } }),
  withdraw: async (id) => void (await call(contract.withdraw, { params: { id } })),
})
