import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/**
 * SCRAM-SHA-1 (RFC 5802) with keys that were derived in advance, as a client caches them between sign-ins: neither side
 * hashes a password during the bench. All accounts share them.
 */
const salt = Buffer.from('salt of the bench')
const iterations = 4096
const hmac = (key: Buffer, text: string) => createHmac('sha1', key).update(text).digest()

const salted = pbkdf2Sync('password of the bench', salt, iterations, 20, 'sha1')
const clientKey = hmac(salted, 'Client Key')
const storedKey = createHash('sha1').update(clientKey).digest()

/** The fields that a server stores for an account. */
export const storedKeys = { salt, iterations, storedKey, serverKey: hmac(salted, 'Server Key') }

const encode = (text: string) => Buffer.from(text).toString('base64')
const decode = (text: string) => Buffer.from(text, 'base64').toString()

/** The client's two messages, base64: the first, and the response to the server's challenge. */
export function scram(user: string) {
  const bare = `n=${user},r=${randomBytes(12).toString('hex')}`
  return {
    first: encode(`n,,${bare}`),
    answer(challenge: string): string {
      const server = decode(challenge)
      const [, nonce = ''] = /r=([^,]*)/.exec(server) ?? []
      if (!server.includes(`s=${salt.toString('base64')},i=${iterations}`))
        throw new Error(`the account has other keys: ${server}`)
      const final = `c=biws,r=${nonce}`
      const proof = hmac(storedKey, `${bare},${server},${final}`).map((byte, i) => byte ^ (clientKey[i] as number))
      return encode(`${final},p=${Buffer.from(proof).toString('base64')}`)
    },
  }
}
