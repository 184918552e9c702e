import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PushNetwork } from '../../../src/core/core.ts'
import type { PushBrowser } from '../scenes/pushes.ts'
import { writeCertificate } from '../server/certificate.ts'

const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** Opens a push as its browser does (RFC 8291); throws for another browser's. */
export function decryptPush(body: Buffer, { subscription, privateKey }: PushBrowser): string {
  const [salt, keyLength] = [body.subarray(0, 16), body[20] ?? 0]
  const [serverKey, sealed] = [body.subarray(21, 21 + keyLength), body.subarray(21 + keyLength)]
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), serverKey])
  const key = hkdf(pair.computeSecret(serverKey), Buffer.from(subscription.auth, 'base64url'), info, 32)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    hkdf(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    hkdf(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
  )
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8')
}

/** Returns the claims of a VAPID header after checking its signature; throws for a wrong one. */
export function readVapid(authorization = ''): { key: string; claims: Record<string, unknown> } {
  const [, header = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is wrong')
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown> }
}

export interface ReceivedPush {
  host: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

type Answer = number | 'nothing'

export interface PushService extends AsyncDisposable {
  /** Leads every host to this service. */
  network: PushNetwork
  /** Every push received, in order. */
  received: ReceivedPush[]
  /** Sets the response from now on: a status with its headers, or never a response. */
  answerWith(answer: Answer, headers?: Record<string, string>): void
}

/** A push service on this machine, by HTTPS. */
export async function createPushService(): Promise<PushService> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-push-'))
  const { TLS_CERT, TLS_KEY } = await writeCertificate(folder)
  const [cert, key] = [await readFile(TLS_CERT), await readFile(TLS_KEY)]
  await rm(folder, { recursive: true })
  const received: ReceivedPush[] = []
  let answer: Answer = 201
  let answerHeaders: Record<string, string> = {}
  const server = createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const { host = '' } = request.headers
      received.push({
        host: host.replace(/:\d+$/, ''),
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts),
      })
      if (answer !== 'nothing') response.writeHead(answer, answerHeaders).end('{"reason":"any"}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    network: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isPublic: () => true,
      port: (server.address() as AddressInfo).port,
      tls: { ca: cert, checkServerIdentity: () => undefined },
    },
    received,
    answerWith(given, headers = {}) {
      answer = given
      answerHeaders = headers
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
