import { kept } from './scram.ts'
import { nameOf } from './xmpp.ts'

/** Accounts as ejabberd keeps them: name, stored key, server key, salt (base64) and iterations. */
export const accountRows = (users: number): (string | number)[][] => {
  const keys = [kept.storedKey, kept.serverKey, kept.salt].map((bytes) => bytes.toString('base64'))
  return Array.from({ length: users }, (_, at) => [nameOf(at), ...keys, kept.iterations])
}

/** What prosody keeps of an account, by name. */
export const accountFields = {
  stored_key: kept.storedKey.toString('hex'),
  server_key: kept.serverKey.toString('hex'),
  salt: kept.salt.toString(),
  iteration_count: kept.iterations,
}
