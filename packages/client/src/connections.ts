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
  /** Removes the connection; its other party cannot make a new one and is not told why. */
  block(id: string): Promise<BlockedPerson>
  /** The latest first. */
  blocked(): Promise<BlockedPerson[]>
  unblock(userId: string): Promise<void>
  /** Whose connection ended in the last 24 hours, whoever ended it; the latest first. */
  former(): Promise<FormerContact[]>
  blockFormer(userId: string): Promise<BlockedPerson>
  /** Takes a person off that list. */
  forgetFormer(userId: string): Promise<void>
  /** Replaces one's own code. */
  generateCode(): Promise<string>
}

/** `isRight`: whether the people of a connection are those whose keys the user has accepted. */
export const createConnections = (call: Call, isRight: (connection: Connection) => boolean): Connections => ({
  list: async () => (await call(contract.list, {})).filter(isRight),
  async create(connectionCode) {
    const made = await call(contract.create, { body: { connectionCode } })
    if (!isRight(made)) throw new CallError('PARTY_ALTERED')
    return made
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
