import { createCipheriv, createDecipheriv, KeyObject, sign } from 'node:crypto'
import type { Clock } from '../../../src/index.ts'

let running = 0

type Method = (...given: never[]) => Promise<unknown>

const bytesOf = (given: BufferSource) =>
  given instanceof ArrayBuffer
    ? new Uint8Array(given)
    : new Uint8Array(given.buffer, given.byteOffset, given.byteLength)

const tagLength = 16

/**
 * Runs WebCrypto's work at once instead of on another thread, which takes most of a run's time; the bytes are equal.
 */
const atOnce: Record<string, (...given: never[]) => Uint8Array> = {
  encrypt({ iv, additionalData }: AesGcmParams, key: CryptoKey, data: BufferSource) {
    const cipher = createCipheriv('aes-256-gcm', KeyObject.from(key as never), bytesOf(iv))
    if (additionalData) cipher.setAAD(bytesOf(additionalData))
    return Buffer.concat([cipher.update(bytesOf(data)), cipher.final(), cipher.getAuthTag()])
  },
  decrypt({ iv, additionalData }: AesGcmParams, key: CryptoKey, data: BufferSource) {
    const bytes = bytesOf(data)
    const decipher = createDecipheriv('aes-256-gcm', KeyObject.from(key as never), bytesOf(iv))
    if (additionalData) decipher.setAAD(bytesOf(additionalData))
    decipher.setAuthTag(bytes.subarray(-tagLength))
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagLength)), decipher.final()])
  },
  sign: (_algorithm: unknown, key: CryptoKey, data: BufferSource) =>
    sign(null, bytesOf(data), KeyObject.from(key as never)),
}

const isQuick = ({ name }: { name?: string }) => name === 'AES-GCM' || name === 'Ed25519'

/** Counts what WebCrypto has begun and not ended: only then is nothing under way but what the test has planned. */
export function watchCrypto(): () => void {
  const { subtle } = crypto
  const methods = Object.getPrototypeOf(subtle) as Record<string, Method>
  const names = Object.getOwnPropertyNames(methods).filter((name) => name !== 'constructor')
  for (const name of names) {
    const real = (methods[name] as Method).bind(subtle)
    const quick = atOnce[name]
    const value = (...given: never[]): Promise<unknown> => {
      const [algorithm] = given as { name?: string }[]
      if (quick && isQuick(algorithm ?? {})) return (async () => new Uint8Array(quick(...given)).buffer)()
      running += 1
      return real(...given).finally(() => (running -= 1))
    }
    Object.defineProperty(subtle, name, { value, configurable: true })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function untilQuiet(): Promise<void> {
  do await turn()
  while (running > 0)
}

/** Time of which only the test decides when it passes. Everything happens one after the other. */
export interface Time extends Clock {
  /** Lets all happen that is due within this time, and waits each time until nothing is under way. */
  pass(milliseconds: number): Promise<void>
  /** As on a device that sleeps: what was due there meanwhile happens at its end. */
  sleep(milliseconds: number): Promise<void>
  /** As `after`, for what happens elsewhere, whether the device sleeps or not. */
  afterElsewhere(milliseconds: number, run: () => void): void
}

export function createTime(start: number): Time {
  const planned: { due: number; run: () => void; isElsewhere: boolean }[] = []
  let now = start

  async function runUntil(end: number, isAsleep: boolean): Promise<void> {
    await untilQuiet()
    for (;;) {
      const at = planned.findIndex(({ isElsewhere }) => isElsewhere || !isAsleep)
      const next = planned[at]
      if (!next || next.due > end) break
      planned.splice(at, 1)
      now = Math.max(now, next.due)
      next.run()
      await untilQuiet()
    }
    now = end
  }

  function plan(milliseconds: number, run: () => void, isElsewhere: boolean): () => void {
    const entry = { due: now + Math.max(0, milliseconds), run, isElsewhere }
    const at = planned.findIndex(({ due }) => due > entry.due)
    planned.splice(at < 0 ? planned.length : at, 0, entry)
    return () => {
      const place = planned.indexOf(entry)
      if (place >= 0) planned.splice(place, 1)
    }
  }

  return {
    now: () => now,
    pass: (milliseconds) => runUntil(now + milliseconds, false),
    async sleep(milliseconds) {
      await runUntil(now + milliseconds, true)
      await runUntil(now, false)
    },
    after: (milliseconds, run) => plan(milliseconds, run, false),
    afterElsewhere: (milliseconds, run) => void plan(milliseconds, run, true),
  }
}

/** The same numbers from 0 to below 1 for the same seed. */
export function numbers(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}
