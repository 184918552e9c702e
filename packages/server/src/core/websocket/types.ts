import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ClientFrame, ServerFrame } from '@privity/contract/events'
import type { Session } from '../sessions/sessions.ts'

export type ReceivedFrame = Extract<ClientFrame, { type: 'received' }>

export interface Sockets {
  /**
   * Sends a frame, serialized once, to every socket of these users, except the one with the id `except` or those of the
   * session with that id. A hint: delivery is not guaranteed.
   */
  notify(userIds: string | readonly string[], frame: ServerFrame, except?: string): void
  /** As `notify`, for sockets of this process only. */
  notifyHere(userIds: readonly string[], frame: ServerFrame): void
  /** Whether the user has a ready socket in this process or another one. */
  isOnline(userId: string): boolean
  /** Whether the user has a ready socket in this process. */
  isConnectedHere(userId: string): boolean
  /** Users with a socket in this process, authenticated or not. */
  connectedUsers(): string[]
  /** Sessions with an open socket in this process; repeated for several sockets. */
  openSessions(): Pick<Session, 'id' | 'userId' | 'tokenHash'>[]
  /** Calls `listener` when a user's first socket anywhere is ready, and when the last one is gone. */
  onPresence(listener: (userId: string, online: boolean) => void): void
  /** Calls `listener` with each acknowledgement from a browser. */
  onReceived(listener: (userId: string, frame: ReceivedFrame) => void): void
  /** Calls `listener` when a page that the user has opened becomes visible. */
  onVisible(listener: (userId: string) => void): void
  /** Whether a visible page of the user has sent something to this process at this time or later. */
  isWatching(userId: string, since: number): boolean
  /** Returns the number of open sockets in this process. */
  count(): number
  /** Serves a socket that was opened for this session. `stream` is the connection under it. */
  accept(socket: WebSocket, stream: Duplex, session: Session): void
  isRefusing(): boolean
  /** Accepts no more sockets; open ones stay. */
  refuse(): void
  /**
   * Closes every socket with 1012 (service restart) and accepts no more. Many are closed in parts, so that browsers do
   * not all reconnect at once; sockets still open go on receiving notices.
   */
  close(): Promise<void>
}
