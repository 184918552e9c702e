import { kept } from './scram.ts'
import { nameOf } from './xmpp.ts'

/** Accounts in ejabberd's format: name, stored key, server key, salt (base64) and iterations. */
export const accountRows = (users: number): (string | number)[][] => {
  const keys = [kept.storedKey, kept.serverKey, kept.salt].map((bytes) => bytes.toString('base64'))
  return Array.from({ length: users }, (_, at) => [nameOf(at), ...keys, kept.iterations])
}

/** The fields of an account in prosody, by name. */
export const accountFields = {
  stored_key: kept.storedKey.toString('hex'),
  server_key: kept.serverKey.toString('hex'),
  salt: kept.salt.toString(),
  iteration_count: kept.iterations,
}
