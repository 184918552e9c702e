import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, integerBytes, readInteger } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { E2eeError } from '../errors.ts'
import { fastSha256 } from '../primitives/hash.ts'

/** When a message was written and which messages came before it, in its sender's words. */
export interface MessageContext {
  /** The sender's clock (ms) when the message was sealed. */
  sentAt: number
  /** 1, 2, 3 … within the envelope. */
  n: number
  /** How long the message lives once the server has stored it (ms), by the sender. */
  lifetime: number
  /** The link of the newest own message of the sender before it; undefined where none lives. */
  previous: string | undefined
  /** The link of another message of the sender that none of theirs names yet; undefined where there is none. */
  otherPrevious: string | undefined
  /** The link of the newest message of the other side that the sender's page has shown; undefined where none lives. */
  seen: string | undefined
}

export const linkBytes = 20
const lifetimeOffset = 12
const previousOffset = lifetimeOffset + 4
const otherPreviousOffset = previousOffset + linkBytes
const seenOffset = otherPreviousOffset + linkBytes
export const contextBytes = seenOffset + linkBytes

/** The latest time that a Date can hold (ECMAScript, 21.4.1.1): a later one cannot be shown. */
const latestTime = 8.64e15

const noLink = toBase64url(new Uint8Array(linkBytes))

/**
 * Writes sentAt (8) || n (4) || lifetime (4) || previous (20) || otherPrevious (20) || seen (20) to the start of
 * `target`. Throws MALFORMED.
 */
export function writeContext(context: MessageContext, target: Bytes): void {
  const { sentAt, n, lifetime, previous, otherPrevious, seen } = context
  if (n === 0) throw new E2eeError('MALFORMED', 'Messages are counted from 1.')
  if ([previous, otherPrevious, seen].includes(noLink)) throw new E2eeError('MALFORMED', 'Zeros stand for no link.')
  target.set(integerBytes(sentAt, 8))
  target.set(integerBytes(n, 4), 8)
  target.set(integerBytes(lifetime, 4), lifetimeOffset)
  target.fill(0, previousOffset, contextBytes)
  writeLink(previous, target.subarray(previousOffset))
  writeLink(otherPrevious, target.subarray(otherPreviousOffset))
  writeLink(seen, target.subarray(seenOffset))
}

function writeLink(link: string | undefined, target: Bytes): void {
  if (link !== undefined) target.set(fromBase64urlOf(link, linkBytes))
}

function readLink(bytes: Bytes): string | undefined {
  const link = toBase64url(bytes)
  return link === noLink ? undefined : link
}

/** The reverse, from the 76 bytes. Throws MALFORMED. */
export function readContext(bytes: Bytes): MessageContext {
  if (bytes.length !== contextBytes) throw new E2eeError('MALFORMED', 'The context has another length.')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const n = view.getUint32(8)
  if (n === 0) throw new E2eeError('MALFORMED', 'Messages are counted from 1.')
  const sentAt = readInteger(bytes.subarray(0, 8))
  if (sentAt > latestTime) throw new E2eeError('MALFORMED', 'This date is too late.')
  return {
    sentAt,
    n,
    lifetime: view.getUint32(lifetimeOffset),
    previous: readLink(bytes.subarray(previousOffset, otherPreviousOffset)),
    otherPrevious: readLink(bytes.subarray(otherPreviousOffset, seenOffset)),
    seen: readLink(bytes.subarray(seenOffset)),
  }
}

/** The link that later messages name a message by, from its signature (64 bytes). */
export async function linkOf(signature: Uint8Array): Promise<string> {
  return toBase64url((await fastSha256(encode('link', [signature]))).subarray(0, linkBytes))
}
