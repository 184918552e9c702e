import { E2eeError, type E2eeErrorCode } from '../../src/errors.ts'

/** The code that `work` is refused with. Any other outcome fails the test. */
export async function refusal(work: Promise<unknown> | (() => unknown)): Promise<E2eeErrorCode> {
  let outcome: unknown
  try {
    outcome = await (typeof work === 'function' ? work() : work)
  } catch (refused) {
    if (refused instanceof E2eeError) return refused.code
    throw refused
  }
  throw new Error(`accepted: ${String(outcome)}`)
}

const together = 64

/**
 * The bits of `bytes` that may be flipped without `open` refusing: none, in a structure that holds. A refusal that is
 * not an E2eeError fails the test. `every` takes each nth bit only.
 */
export async function unnoticedFlips(
  bytes: Uint8Array,
  open: (altered: Uint8Array<ArrayBuffer>) => Promise<unknown>,
  every = 1,
): Promise<number[]> {
  const unnoticed: number[] = []
  const tryBit = async (bit: number) => {
    const altered = new Uint8Array(bytes)
    altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7))
    try {
      await open(altered)
      unnoticed.push(bit)
    } catch (refused) {
      if (!(refused instanceof E2eeError)) throw refused
    }
  }
  for (let bit = 0; bit < bytes.length * 8; bit += every * together) {
    const bits = Array.from({ length: together }, (_, at) => bit + at * every).filter((at) => at < bytes.length * 8)
    await Promise.all(bits.map(tryBit))
  }
  return unnoticed
}
