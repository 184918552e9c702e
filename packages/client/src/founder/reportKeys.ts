import { reportKeys as contract, type WrappedReportKey } from '@privity/contract/founder/reportKeys'
import { newId } from '@privity/e2ee'
import { unwrapReportSeed, wrapReportSeed } from '@privity/e2ee/founder'
import { createReportKeys } from '@privity/e2ee/report'
import type { Call } from '../transport/call.ts'
import { isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'

type Seed = Uint8Array<ArrayBuffer>

/** What the founder's browser can do with reports. */
export interface ReportKeys {
  /** Of the key that reports are sealed to now. */
  current: string
  /** Private halves by the id of their key. */
  seeds: ReadonlyMap<string, Seed>
  /** Keys of a password that was lost: what was sealed to them stays closed. */
  unreadable: readonly string[]
}

async function unwrap(wrapKey: CryptoKey, { id, publicKey, wrappedSeed }: WrappedReportKey): Promise<Seed | undefined> {
  return unwrapReportSeed(wrapKey, wrappedSeed, { id, publicKey }).catch(() => undefined)
}

/** What this wrapping key opens; undefined where it does not open the newest, or there is none. */
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

/** Publishes a new key pair after `newest`. Answers whether it did: another browser of the founder may have been first. */
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
 * After a sign-in, whose password is right: opens the newest key pair; makes one where there is none, or where the
 * newest is of a password that was replaced without the old one.
 */
export async function ensureReportKeys(call: Call, clock: Clock, wrapKey: CryptoKey): Promise<void> {
  const keys = await listReportKeys(call)
  if ((await openReportKeys(wrapKey, keys)) !== undefined) return
  if (!(await publish(call, clock, wrapKey, keys[0]?.id ?? null))) await ensureReportKeys(call, clock, wrapKey)
}

/**
 * With the key that this browser has kept, which may be of a password that was changed elsewhere since: undefined where
 * it does not open the newest. It never takes the place of another; only the first of all is made here too, where the
 * sign-in did not get to it.
 */
export async function keptReportKeys(call: Call, clock: Clock, wrapKey: CryptoKey): Promise<ReportKeys | undefined> {
  const keys = await listReportKeys(call)
  if (keys.length > 0) return openReportKeys(wrapKey, keys)
  await publish(call, clock, wrapKey, null)
  return openReportKeys(wrapKey, await listReportKeys(call))
}

/** Every key that opens, wrapped anew by another password's key. */
export async function rewrapReportKeys(keys: readonly WrappedReportKey[], from: CryptoKey, to: CryptoKey) {
  const rewrapped: { id: string; wrappedSeed: string }[] = []
  for (const key of keys) {
    const seed = await unwrap(from, key)
    if (seed !== undefined) rewrapped.push({ id: key.id, wrappedSeed: await wrapReportSeed(to, seed, key) })
  }
  return rewrapped
}
