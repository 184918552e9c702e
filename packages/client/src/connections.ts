import {
  type BlockedPerson,
  type Connection,
  type ConnectionStatistics,
  type FormerContact,
  type Lifetime,
  connections as contract,
} from '@privity/contract/connections'
import { connectionLink } from '@privity/contract/connectionLink'
import { session as sessionContract } from '@privity/contract/session'
import type { Directory } from './directory.ts'
import type { Call } from './transport/call.ts'
import { CallError, type SecurityAlert } from './transport/callError.ts'
import { loadLazily } from './transport/lazy.ts'
import type { TrustCalls } from './trust/types.ts'
import type { Lifetimes } from './messages/lifetimes.ts'
import type { Participants } from './trust/participants.ts'

export interface Connections {
  /** Newest first. */
  list(): Promise<Connection[]>
  /**
   * `fingerprint`: that of the link the code came with. Throws LINK_OTHER, with an alarm and without a connection,
   * where the contact's key has another one.
   */
  create(connectionCode: string, fingerprint?: string): Promise<Connection>
  /** The link to one's own code, which names one's identity key too. */
  link(connectionCode: string): Promise<string>
  /** Sets how long messages live that either side sends from now on (ms), and returns what applies on this server. */
  setLifetime(id: string, lifetime: Lifetime): Promise<number>
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
  directory: Directory
}

interface ConnectionDeps {
  call: Call
  origin: string
  /** Knows whose keys the user has accepted; undefined while no account is open. */
  participants: () => Pick<Participants, 'isExpected' | 'filter' | 'beginMeeting'> | undefined
  recordLifetime: Lifetimes['record']
  trust: Pick<TrustCalls, 'ownFingerprint' | 'confirmByLink'>
  alarm: SecurityAlert
}

export function createConnections(deps: ConnectionDeps): Connections {
  const { call, origin, participants, recordLifetime, trust, alarm } = deps
  const isExpected = (connection: Connection) => participants()?.isExpected(connection) ?? true

  async function confirmByLink(id: string, fingerprint: string): Promise<void> {
    try {
      if (await trust.confirmByLink(id, fingerprint)) return
      alarm('LINK_OTHER')
      throw new CallError('LINK_OTHER')
    } catch (error) {
      // Their key does not count as confirmed, so there must be no connection either.
      await call(contract.remove, { params: { id } }).catch(() => {})
      throw error
    }
  }

  /**
   * Makes a connection for the user, by a code, a link or a request, and records it. Throws PARTY_ALTERED if the server
   * names another contact than this browser knows of it.
   */
  async function recordMade<T extends Connection | undefined>(
    make: () => Promise<T>,
    fingerprint?: string,
  ): Promise<T> {
    const meet = participants()?.beginMeeting()
    const connection = await make()
    if (!connection) return connection
    if (!isExpected(connection)) throw new CallError('PARTY_ALTERED')
    if (fingerprint !== undefined) await confirmByLink(connection.id, fingerprint)
    await meet?.(connection)
    return connection
  }

  return {
    async list() {
      const all = await call(contract.list, {})
      for (const each of all) recordLifetime(each)
      return participants()?.filter(all) ?? all
    },
    create: async (connectionCode, fingerprint) =>
      recordMade(() => call(contract.create, { body: { connectionCode } }), fingerprint),
    link: async (code) => connectionLink(origin, { code, fingerprint: await trust.ownFingerprint() }),
    async setLifetime(id, lifetime) {
      const set = await call(contract.setLifetime, { params: { id }, body: { lifetime } })
      recordLifetime({ id, ...set })
      return set.lifetime
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
    directory: loadLazily(async () => (await import('./directory.ts')).createDirectory({ call, recordMade })),
  }
}
