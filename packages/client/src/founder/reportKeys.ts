import { reportKeys as contract, type WrappedReportKey } from '@privity/contract/founder/reportKeys'
import { newId } from '@privity/e2ee'
import { unwrapReportSeed, wrapReportSeed } from '@privity/e2ee/founder'
import { createReportKeys } from '@privity/e2ee/report'
import type { Call } from '../transport/call.ts'
import { isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'

type Seed = Uint8Array<ArrayBuffer>

/** The report keys that the founder's browser can use. */
export interface ReportKeys {
  /** The id of the key that new reports are encrypted to. */
  current: string
  /** Seeds by the id of their key. */
  seeds: ReadonlyMap<string, Seed>
  /** Keys of a lost password: reports encrypted to them stay unreadable. */
  unreadable: readonly string[]
}

async function unwrap(wrapKey: CryptoKey, { id, publicKey, wrappedSeed }: WrappedReportKey): Promise<Seed | undefined> {
  return unwrapReportSeed(wrapKey, wrappedSeed, { id, publicKey }).catch(() => undefined)
}

/** Unwraps the keys with this wrapping key; undefined if it does not unwrap the newest, or none exists. */
export async function openReportKeys(
  wrapKey: CryptoKey,
  keys: readonly WrappedReportKey[],
): Promise<ReportKeys | undefined> {
  const seeds = new Map<string, Seed>()
  for (const key of keys) {
    const seed = await unwrap(wrapKey, key)
    if (seed !== undefined) seeds.set(key.id, seed)
  }
  const newest = keys[0]
  if (newest === undefined || !seeds.has(newest.id)) return undefined
  return { current: newest.id, seeds, unreadable: keys.map(({ id }) => id).filter((id) => !seeds.has(id)) }
}

export const listReportKeys = async (call: Call) => (await call(contract.list, {})).keys

/** Publishes a new key pair after `newest`. Returns false if another browser of the founder was first. */
async function publish(call: Call, clock: Clock, wrapKey: CryptoKey, newest: string | null): Promise<boolean> {
  const { seed, publicKey } = await createReportKeys()
  const id = newId(clock.now())
  const wrappedSeed = await wrapReportSeed(wrapKey, seed, { id, publicKey })
  try {
    await call(contract.add, { body: { id, publicKey, wrappedSeed, replaces: newest } })
    return true
  } catch (error) {
    if (isCallError(error, 'STALE_VERSION')) return false
    throw error
  }
}

/**
 * Runs after a sign-in: ensures that the newest key pair can be unwrapped, and creates one if none exists or the
 * password was reset without the old one.
 */
export async function ensureReportKeys(call: Call, clock: Clock, wrapKey: CryptoKey): Promise<void> {
  const keys = await listReportKeys(call)
  if ((await openReportKeys(wrapKey, keys)) !== undefined) return
  if (!(await publish(call, clock, wrapKey, keys[0]?.id ?? null))) await ensureReportKeys(call, clock, wrapKey)
}

/**
 * Loads the keys with this browser's wrapping key, which may be that of an earlier password: undefined if it does not
 * unwrap the newest. Creates only the very first pair, if the sign-in failed to.
 */
export async function loadReportKeys(call: Call, clock: Clock, wrapKey: CryptoKey): Promise<ReportKeys | undefined> {
  const keys = await listReportKeys(call)
  if (keys.length > 0) return openReportKeys(wrapKey, keys)
  await publish(call, clock, wrapKey, null)
  return openReportKeys(wrapKey, await listReportKeys(call))
}

/** Rewraps every readable key under another password's key. */
export async function rewrapReportKeys(keys: readonly WrappedReportKey[], from: CryptoKey, to: CryptoKey) {
  const rewrapped: { id: string; wrappedSeed: string }[] = []
  for (const key of keys) {
    const seed = await unwrap(from, key)
    if (seed !== undefined) rewrapped.push({ id: key.id, wrappedSeed: await wrapReportSeed(to, seed, key) })
  }
  return rewrapped
}
