import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'

/**
 * The people of a bench, by number: who seeds the database and who signs in with a cookie agree on them without a word.
 * Users 2k and 2k + 1 are pair k, connected with each other.
 */
const uuidOf = (kind: number, at: number) =>
  `01900000-0${kind.toString(16).padStart(3, '0')}-7000-8000-${at.toString(16).padStart(12, '0')}`

export const userId = (at: number): string => uuidOf(1, at)
export const connectionId = (pair: number): string => uuidOf(2, pair)
/**
 * The envelope of the messages from user `at` to the other of the pair. Its time is that of the day's half: the server
 * takes messages under an envelope up to 12 hours old, and a bench that runs over 0:00 or 12:00 UTC is started again.
 */
export function envelopeId(at: number): string {
  const half = 12 * 3600_000
  const time = (Math.floor(Date.now() / half) * half).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${at.toString(16).padStart(12, '0')}`
}
export const partnerOf = (at: number): number => at ^ 1
export const pairOf = (at: number): number => at >> 1
export const sessionToken = (at: number): string => hash('sha256', `the session of bench user ${at}`, 'base64url')

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** The identity key of user `at`. */
function signingKey(at: number): KeyObject {
  const seed = hash('sha256', `the identity of bench user ${at}`, 'buffer')
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
}
const publicText = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' }).x ?? ''
export const identityKey = (at: number): string => publicText(signingKey(at))

/** Where user `at` sits: their id, the cookie of that name that proves it, and what their messages are signed with. */
export function seatOf(at: number, cookie: string) {
  const key = signingKey(at)
  const route = { connectionId: connectionId(pairOf(at)), from: userId(at), to: userId(partnerOf(at)) }
  const identities = { identityFrom: publicText(key), identityTo: identityKey(partnerOf(at)) }
  return {
    cookie: `${cookie}=${sessionToken(at)}`,
    userId: userId(at),
    connectionId: route.connectionId,
    envelopeId: envelopeId(at),
    signing: { binding: { ...route, epochFrom: 1, epochTo: 1, ...identities }, key },
  }
}

/** Pairs that send, and after them those whose past is asked for: nothing is sent there, so it stays what was seeded. */
export const sendingPairs = 200
export const pastPairs = 20
export const pastMessages = 100
/** The pair with past number `at`. */
export const pastPair = (at: number): number => sendingPairs + (at % pastPairs)
/** Numbers of messages in a past: above those of any that are sent. */
export const pastNumber = (pair: number, message: number): number => 0x8000_0000 + pair * 40_000 + message
