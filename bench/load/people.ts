import { hash } from 'node:crypto'

/**
 * The people of a bench, by number: who seeds the database and who signs in with a cookie agree on them without a word.
 * Users 2k and 2k + 1 are pair k, connected with each other.
 */
const uuidOf = (kind: number, at: number) =>
  `01900000-0${kind.toString(16).padStart(3, '0')}-7000-8000-${at.toString(16).padStart(12, '0')}`

export const userId = (at: number): string => uuidOf(1, at)
export const connectionId = (pair: number): string => uuidOf(2, pair)
/** Of what user `at` sends to the other of his pair. */
export const envelopeId = (at: number): string => uuidOf(3, at)
export const partnerOf = (at: number): number => at ^ 1
export const pairOf = (at: number): number => at >> 1
export const sessionToken = (at: number): string => hash('sha256', `the session of bench user ${at}`, 'base64url')
/** Where user `at` sits: who he says he is, and the cookie of that name that proves it. */
export const seatOf = (at: number, cookie: string) => ({
  cookie: `${cookie}=${sessionToken(at)}`,
  userId: userId(at),
  connectionId: connectionId(pairOf(at)),
  envelopeId: envelopeId(at),
})

/** Pairs that send, and after them those whose past is asked for: nothing is sent there, so it stays what was seeded. */
export const sendingPairs = 200
export const pastPairs = 20
export const pastMessages = 100
/** The pair with past number `at`. */
export const pastPair = (at: number): number => sendingPairs + (at % pastPairs)
/** Numbers of messages in a past: above those of any that are sent. */
export const pastNumber = (pair: number, message: number): number => 0x8000_0000 + pair * 40_000 + message
