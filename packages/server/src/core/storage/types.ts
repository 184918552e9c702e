import type { Readable, Writable } from 'node:stream'

/**
 * The ciphertext of files, by id. Ids are UUIDs, because they become names of files or objects. Every implementation
 * passes test/support/storage/storageCases.ts.
 */
export interface Storage {
  /**
   * Durable and visible under its id once the stream has finished; a destroyed stream leaves nothing. Fails with
   * STORAGE_FULL if there is no space.
   */
  create(id: string): Writable
  open(id: string): Readable
  /** Returns the bytes of an object, or undefined if there is none. */
  size(id: string): Promise<number | undefined>
  /** Removes an object; succeeds if it is gone already. */
  remove(id: string): Promise<void>
  /** Whether this many bytes fit while leaving space for a database on the same disk. */
  hasSpaceFor(bytes: number): Promise<boolean>
  /** Lists every stored object, to find unreferenced ones. */
  list(): Promise<{ id: string; modifiedAt: number }[]>
  /** Lists partial objects: those being written, and those of a killed process. `remove` destroys one. */
  partials(): Promise<PartialObject[]>
  /** Throws if the store cannot be written to. */
  check(): Promise<void>
}

export interface PartialObject {
  id: string
  remove(): Promise<void>
}
