import type { Device } from './device/device.ts'
import type { FileCrypto } from './files/fileCrypto.ts'
import type { DeriveMasterKey } from './keys/passwordKeys.ts'
import type { Clock } from './transport/clock.ts'
import type { OpenSocket } from './transport/socket.ts'

export interface ClientOptions {
  /** The server's origin, such as https://privity.example, without a trailing slash. */
  origin: string
  device?: Device
  fetch?: typeof globalThis.fetch
  openSocket?: OpenSocket
  clock?: Clock
  deriveMasterKey?: DeriveMasterKey
  /** Versions of Argon2id's cost, newest first. */
  passwordVersions?: readonly [number, ...number[]]
  fileCrypto?: Partial<FileCrypto>
}
