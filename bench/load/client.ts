/** A signed-in user with an open socket, who exchanges messages with the partner of the pair. */
export interface Client {
  /** Called with the number of each message that arrives. */
  onMessage: (number: number) => void
  onClose: () => void
  /**
   * Sends message `number`; resolves when the server has responded, or at once if the protocol has no acknowledgement.
   */
  send(number: number): Promise<void>
  /** The numbers of the newest messages of the conversation. */
  newestMessages(count: number): Promise<number[]>
  /** Closes the connection properly. */
  close(): void
  /** Cuts the connection without a closing handshake. */
  drop(): void
}

/** A server under test. */
export interface Target {
  name: string
  /** Creates the accounts and the message history, once; the server does not run afterwards. */
  prepare(users: number): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Signs in user `index`; `address` is the loopback address to connect from. */
  connect(index: number, address?: string): Promise<Client>
  /** Number of messages in its store. */
  stored(): Promise<number>
  /** Ids of its processes, and of those of its database. */
  processes(): { server: number[]; database: number[] }
}
