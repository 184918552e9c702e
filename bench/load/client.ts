/** Someone who is signed in, with a socket open, and talks to the other of his pair. */
export interface Client {
  /** Hears the number of each message that arrives. */
  onMessage: (number: number) => void
  onClose: () => void
  /** Sends message `number`; resolves when the server has answered, at once where its protocol has no answer. */
  send(number: number): Promise<void>
  /** The numbers of the newest messages of his conversation. */
  past(count: number): Promise<number[]>
  /** Says goodbye. */
  close(): void
  /** Is gone without a word. */
  drop(): void
}

/** A server under test. */
export interface Target {
  name: string
  /** Makes the accounts and the pasts, once; it does not run afterwards. */
  prepare(users: number): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Signs user `at` in; `address` is the one on loopback that he comes from. */
  connect(at: number, address?: string): Promise<Client>
  /** How many messages it has stored. */
  stored(): Promise<number>
  /** Its processes, and those of its database. */
  processes(): { server: number[]; database: number[] }
}
