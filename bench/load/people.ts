import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'

/**
 * The users of a bench, derived from their number, so that seeding and signing in by cookie agree without exchanging
 * data. Users 2k and 2k + 1 are pair k, connected with each other.
 */
const uuidOf = (kind: number, index: number) =>
  `01900000-0${kind.toString(16).padStart(3, '0')}-7000-8000-${index.toString(16).padStart(12, '0')}`

export const userId = (index: number): string => uuidOf(1, index)
export const connectionId = (pair: number): string => uuidOf(2, pair)
/**
 * The envelope of the messages from user `index` to the partner. Its time is the start of the current half day, because
 * the server accepts messages under an envelope up to 12 hours old. A bench that runs across 0:00 or 12:00 UTC must be
 * restarted.
 */
export function envelopeId(index: number): string {
  const half = 12 * 3600_000
  const time = (Math.floor(Date.now() / half) * half).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
}
export const partnerOf = (index: number): number => index ^ 1
export const pairOf = (index: number): number => index >> 1
export const sessionToken = (index: number): string => hash('sha256', `the session of bench user ${index}`, 'base64url')

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** The identity key of user `index`. */
function signingKey(index: number): KeyObject {
  const seed = hash('sha256', `the identity of bench user ${index}`, 'buffer')
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}
const publicText = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x ?? ''
export const identityKey = (index: number): string => publicText(signingKey(index))

/**
 * The credentials of user `index`: their id, the session cookie of that name, and the signing keys of their messages.
 */
export function credentialsOf(index: number, cookie: string) {
  const key = signingKey(index)
  const route = { connectionId: connectionId(pairOf(index)), from: userId(index), to: userId(partnerOf(index)) }
  const identities = { identityFrom: publicText(key), identityTo: identityKey(partnerOf(index)) }
  return {
    cookie: `${cookie}=${sessionToken(index)}`,
    userId: userId(index),
    connectionId: route.connectionId,
    envelopeId: envelopeId(index),
    signing: { binding: { ...route, epochFrom: 1, epochTo: 1, ...identities }, key },
  }
}

/** Pairs that send. The pairs after them only read: their history stays as it was seeded. */
export const sendingPairs = 200
export const historyPairs = 20
export const historyMessages = 100
/** The pair of history number `index`. */
export const historyPair = (index: number): number => sendingPairs + (index % historyPairs)
/** Numbers of seeded messages: above those of any message that is sent. */
export const historyNumber = (pair: number, message: number): number => 0x8000_0000 + pair * 40_000 + message
