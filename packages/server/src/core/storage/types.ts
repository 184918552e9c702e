import type { Readable, Writable } from 'node:stream'

/** The ciphertext of files, by id. Ids are UUIDs: they become names of files or of objects. */
export interface Storage {
  /** Durable and visible under its id when the stream has finished; destroyed, it leaves nothing. */
  create(id: string): Writable
  open(id: string): Readable
  /** Bytes, or undefined if there is no such object. */
  size(id: string): Promise<number | undefined>
  /** Fine when it is gone already. */
  remove(id: string): Promise<void>
  /** Whether so many bytes can come in and leave the database, where it shares their disk, room to go on. */
  hasRoomFor(bytes: number): Promise<boolean>
  /** Every stored object, for finding ones that nothing refers to. */
  list(): Promise<{ id: string; modifiedAt: number }[]>
  /** What is being written, and what a killed process left half-written: `remove` destroys that. */
  partials(): Promise<HalfWritten[]>
  /** Throws when the store cannot be written to. */
  check(): Promise<void>
}

export interface HalfWritten {
  id: string
  remove(): Promise<void>
}
