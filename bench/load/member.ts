import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { signedEpochBytes } from '@privity/contract/epochForm'
import { newId } from '../../packages/server/src/core/ids.ts'
import { httpClient } from './http.ts'
import { connectOurs, type OurClient } from './ourClient.ts'

export type Member = OurClient

interface Account {
  cookie: string
  id: string
  connectionCode: string
  identityKey: string
  key: KeyObject
}

const bytes = (size: number) => randomBytes(size).toString('base64url')
const uuid = () => randomUUID().replace(/^(.{14})./, '$17')
let next = 0

/**
 * Random values as keys, in an epoch with a real signature: the server cannot verify more. Encryption is measured
 * elsewhere.
 */
function randomKeys(userId: string, identityKey: string, key: KeyObject) {
  const unsigned = {
    userId,
    n: 1,
    publicKey: bytes(1216),
    createdAt: Date.now(),
    previousHash: Buffer.alloc(32).toString('base64url'),
  }
  const signed = signedEpochBytes(identityKey, unsigned, (text) => Buffer.from(text, 'base64url'))
  const epoch = { ...unsigned, signature: sign(null, signed, key).toString('base64url') }
  return {
    userId,
    identityKey,
    wrappedIdentitySeed: bytes(64),
    wrappedAccountKey: bytes(64),
    recoveryWrappedAccountKey: bytes(64),
    recoveryProof: bytes(32),
    epoch: { ...epoch, wrappedSeed: bytes(64) },
    pins: { version: 0, sealed: '' },
  }
}

const cookies = (head: string) => [...head.matchAll(/\r\nset-cookie: *([^;\r]*)/gi)].map((match) => match[1]).join('; ')

async function register(http: ReturnType<typeof httpClient>): Promise<Account> {
  const number = next++
  const name = `bench${number}x${bytes(3)
    .replaceAll(/[^a-zA-Z0-9]/g, '0')
    .toLowerCase()}`
  const body = {
    username: name,
    password: bytes(32),
    firstName: 'Bench',
    lastName: String(number),
    email: `${name}@example.com`,
  }
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519')
  const { x: identityKey = '' } = publicKey.export({ format: 'jwk' })
  const keys = randomKeys(uuid(), identityKey, key)
  const answer = await http.request('POST', '/api/register', { body: { ...body, keys } })
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${answer.body}`)
  const { id, connectionCode } = JSON.parse(answer.body) as Pick<Account, 'id' | 'connectionCode'>
  return { id, connectionCode, cookie: cookies(answer.head), identityKey, key }
}

async function open(port: number, me: Account, peer: Account, connectionId: string): Promise<Member> {
  const envelopeId = newId(Date.now())
  const route = { connectionId, from: me.id, to: peer.id, epochFrom: 1, epochTo: 1 }
  const signing = { binding: { ...route, identityFrom: me.identityKey, identityTo: peer.identityKey }, key: me.key }
  const member = await connectOurs(port, { cookie: me.cookie, userId: me.id, connectionId, envelopeId, signing })
  const envelope = {
    ...{ id: envelopeId, ...route },
    ...{ sealedForRecipient: bytes(1168), sealedForSender: bytes(1168), signature: bytes(64) },
  }
  await member.sendWith(0xffffffff, { envelope })
  return member
}

/** Creates two users on the server at `port`, connected by code, with open sockets. */
export async function createPair(port: number): Promise<[Member, Member]> {
  const http = httpClient(port, 1)
  const [one, other] = [await register(http), await register(http)]
  const body = { connectionCode: other.connectionCode }
  const answer = await http.request('POST', '/api/connections', { headers: `cookie: ${one.cookie}\r\n`, body })
  if (answer.status !== 201) throw new Error(`connect: ${answer.status} ${answer.body}`)
  const { id } = JSON.parse(answer.body) as { id: string }
  http.close()
  return [await open(port, one, other, id), await open(port, other, one, id)]
}
