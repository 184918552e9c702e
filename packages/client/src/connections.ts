import {
  type BlockedPerson,
  type Connection,
  type ConnectionStatistics,
  type FormerContact,
  connections as contract,
} from '@privity/contract/connections'
import { session as sessionContract } from '@privity/contract/session'
import type { Call } from './transport/call.ts'
import { CallError } from './transport/callError.ts'

export interface Connections {
  /** Newest first. */
  list(): Promise<Connection[]>
  create(connectionCode: string): Promise<Connection>
  remove(id: string): Promise<void>
  statistics(): Promise<ConnectionStatistics>
  /** Removes the connection. The contact cannot create a new one and is not told why. */
  block(id: string): Promise<BlockedPerson>
  /** Latest first. */
  blocked(): Promise<BlockedPerson[]>
  unblock(userId: string): Promise<void>
  /** Contacts whose connection ended in the last 24 hours, no matter who ended it; latest first. */
  former(): Promise<FormerContact[]>
  blockFormer(userId: string): Promise<BlockedPerson>
  /** Removes a contact from that list. */
  forgetFormer(userId: string): Promise<void>
  /** Replaces one's own code. */
  generateCode(): Promise<string>
}

/** `isExpected`: whether both participants of a connection are those whose keys the user has accepted. */
export const createConnections = (call: Call, isExpected: (connection: Connection) => boolean): Connections => ({
  list: async () => (await call(contract.list, {})).filter(isExpected),
  async create(connectionCode) {
    const connection = await call(contract.create, { body: { connectionCode } })
    if (!isExpected(connection)) throw new CallError('PARTY_ALTERED')
    return connection
  },
  remove: async (id) => void (await call(contract.remove, { params: { id } })),
  statistics: () => call(contract.statistics, {}),
  block: (id) => call(contract.block, { params: { id } }),
  blocked: () => call(contract.listBlocked, {}),
  unblock: async (userId) => void (await call(contract.unblock, { params: { id: userId } })),
  former: () => call(contract.listFormer, {}),
  blockFormer: (userId) => call(contract.blockFormer, { params: { id: userId } }),
  forgetFormer: async (userId) => void (await call(contract.forgetFormer, { params: { id: userId } })),
  generateCode: async () => (await call(sessionContract.generateCode, {})).connectionCode,
})
