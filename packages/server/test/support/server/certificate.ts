import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One DER element. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const time = (text: string) => der(0x17, Buffer.from(text))
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)

/** Writes a self-signed RSA certificate and its key into a folder; returns the paths as TLS_CERT and TLS_KEY. */
export async function writeCertificate(folder: string): Promise<{ TLS_CERT: string; TLS_KEY: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
  const noName = sequence()
  const validity = sequence(time('200101000000Z'), time('490101000000Z'))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(der(0x02, Buffer.from([1])), sha256WithRsa, noName, validity, noName, subjectKey)
  const certificate = sequence(signed, sha256WithRsa, bits(sign('sha256', signed, privateKey)))
  const lines = certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n')
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  await writeFile(files.TLS_CERT, `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`)
  await writeFile(files.TLS_KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return files
}
