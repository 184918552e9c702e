import { argon2id } from 'hash-wasm'
import type { Bytes } from '../encoding/bytes.ts'

export interface Argon2Cost {
  parallelism: number
  iterations: number
  /** KiB */
  memorySize: number
}

/** Returns 32 bytes. A chunk of its own, loaded where a password is derived. */
export async function computeArgon2id(password: Bytes, salt: Bytes, cost: Argon2Cost): Promise<Bytes> {
  return new Uint8Array(await argon2id({ password, salt, ...cost, hashLength: 32, outputType: 'binary' }))
}
