import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type SecureVersion } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { writeCertificate } from '../../support/server/certificate.ts'

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-tls-'))
  server = await createTestServer({ env: { TRUST_PROXY: '0', ...(await writeCertificate(folder)) } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Resolves with the cipher suite that a client offering only these negotiates. */
async function agreeOn(ciphers: string, version: SecureVersion): Promise<string> {
  const { port } = server.app.app.server.address() as AddressInfo
  const socket = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    // A modern client does not offer some of these by default.
    ciphers: version === 'TLSv1.3' ? ciphers : `${ciphers}:@SECLEVEL=0`,
    minVersion: version,
    maxVersion: version,
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getCipher().name
  } finally {
    socket.destroy()
  }
}

test.each([
  ['ECDHE-RSA-AES128-GCM-SHA256', 'TLSv1.2'],
  ['ECDHE-RSA-AES256-GCM-SHA384', 'TLSv1.2'],
  ['ECDHE-RSA-CHACHA20-POLY1305', 'TLSv1.2'],
  ['TLS_AES_128_GCM_SHA256', 'TLSv1.3'],
  ['TLS_AES_256_GCM_SHA384', 'TLSv1.3'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLSv1.3'],
] as const)('the server speaks %s', async (suite, version) => {
  expect(await agreeOn(suite, version)).toBe(suite)
})

test.each([
  ['AES128-GCM-SHA256', 'TLSv1.2'],
  ['AES256-GCM-SHA384', 'TLSv1.2'],
  ['AES128-SHA', 'TLSv1.2'],
  ['ECDHE-RSA-AES128-SHA', 'TLSv1.2'],
  ['ECDHE-RSA-AES128-SHA256', 'TLSv1.2'],
  ['ECDHE-RSA-AES256-SHA384', 'TLSv1.2'],
  ['ECDHE-RSA-AES128-SHA', 'TLSv1.1'],
] as const)('the server refuses %s under %s', async (suite, version) => {
  await expect(agreeOn(suite, version)).rejects.toThrow(/handshake failure|alert protocol version/)
})

test('a certificate that its key does not fit ends the start with the names of the variables', async () => {
  const other = await mkdtemp(join(tmpdir(), 'privity-tls-'))
  try {
    const [{ TLS_CERT, TLS_KEY }, { TLS_KEY: otherKey }] = [
      await writeCertificate(folder),
      await writeCertificate(other),
    ]
    for (const env of [
      { TLS_CERT: TLS_KEY, TLS_KEY: TLS_CERT },
      { TLS_CERT, TLS_KEY: otherKey },
    ])
      await expect(createTestServer({ env })).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringContaining('TLS_CERT and TLS_KEY'),
      })
  } finally {
    await rm(other, { recursive: true, force: true })
  }
})
