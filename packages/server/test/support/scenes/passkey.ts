import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Assertion, Attestation, PasskeyCreation, PasskeyRequest } from '@privity/contract/secondFactor'
import type { TestServer } from '../server/testServer.ts'
import { type Caller, createCaller, nextAddress } from '../server/caller.ts'

/** A software passkey (ES256, no attestation) whose counter and origin the test controls. */
export interface SoftPasskey {
  id: string
  /** Counter of the last signature; the next one increments it. */
  counter: number
  create(options: PasskeyCreation, origin: string): Attestation
  sign(options: PasskeyRequest, origin: string): Assertion
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

function byteString(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

export function createSoftPasskey(): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    byteString(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    byteString(Buffer.from(y, 'base64url')),
  ])
  const base = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }

  function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
    const fixed = Buffer.alloc(5)
    fixed.writeUInt8(flags)
    fixed.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), fixed])
  }

  const passkey: SoftPasskey = {
    id,
    counter: 0,
    create({ challenge, rp }, origin) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(rawId.length)
      const data = authenticatorData(rp.id, 0x41, passkey.counter)
      const attested = Buffer.concat([data, Buffer.alloc(16), length, rawId, cose])
      const object = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        byteString(attested),
      ])
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      }
      return { ...base, response }
    },
    sign({ challenge, rpId }, origin) {
      passkey.counter += 1
      const client = clientData('webauthn.get', challenge, origin)
      const data = authenticatorData(rpId, 0x01, passkey.counter)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { ...base, response }
    },
  }
  return passkey
}

export const originOf = (server: TestServer) => server.url.replace('127.0.0.1', 'localhost')

/** The same browser at http://localhost, where passkeys work; Node sends no Origin. */
export function atLocalhost(server: TestServer, like?: Caller): Caller {
  const caller = createCaller(() => originOf(server), like?.address ?? nextAddress())
  for (const [name, value] of like?.cookies ?? []) caller.cookies.set(name, value)
  return caller
}
