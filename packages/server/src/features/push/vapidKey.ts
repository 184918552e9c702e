import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Config } from '../../core/config/types.ts'
import type { Core } from '../../core/core.ts'
import type { Db, Reader } from '../../core/database/types.ts'
import { pushKeySetting } from '../../core/secrets/rotation.ts'
import { createWrongSecretError, type Secrets } from '../../core/secrets/secrets.ts'

/** The key by which push services recognize this deployment (VAPID, RFC 8292). */
export interface VapidKey {
  /** 65 bytes in base64url: the point, uncompressed. */
  publicKey: string
  /** The value of the Authorization header for a push service. */
  authorize(origin: string): string
}

type VapidDependencies = Pick<Core, 'db' | 'secrets' | 'clock' | 'config'>

/** Push services accept at most 24 hours. */
const tokenSeconds = 12 * 60 * 60

const toBase64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A contact for the push service's operator; undefined on a server that only this machine uses. */
function subjectOf({ supportEmail, publicUrl }: Config): string | undefined {
  if (supportEmail !== undefined) return `mailto:${supportEmail}`
  return publicUrl?.startsWith('https:') === true ? publicUrl : undefined
}

const selectKey = async (db: Reader): Promise<string | undefined> =>
  (await db.get<{ value: string }>('select value from settings where key = ?', [pushKeySetting]))?.value

/** If several processes start at once, all use the key stored first: subscriptions are bound to it. */
async function createKey(db: Db, secrets: Secrets): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const encrypted = secrets.encryptAtRest(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'))
  return db.write(async (tx) => {
    const insert = 'insert into settings (key, value) values (?, ?) on conflict (key) do nothing'
    await tx.run(insert, [pushKeySetting, encrypted])
    return (await selectKey(tx)) ?? encrypted
  })
}

function open(secrets: Secrets, encrypted: string): KeyObject {
  try {
    const key = Buffer.from(secrets.decryptAtRest(encrypted), 'base64url')
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } catch {
    throw createWrongSecretError()
  }
}

function toVapidKey(key: KeyObject, { clock, config }: Pick<Core, 'clock' | 'config'>): VapidKey {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const publicKey = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const [k, sub] = [publicKey.toString('base64url'), subjectOf(config)]
  return {
    publicKey: k,
    authorize(origin) {
      const exp = Math.floor(clock.now() / 1000) + tokenSeconds
      const claims = { aud: origin, exp, ...(sub === undefined ? {} : { sub }) }
      const signed = `${toBase64url({ typ: 'JWT', alg: 'ES256' })}.${toBase64url(claims)}`
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
      return `vapid t=${signed}.${signature}, k=${k}`
    },
  }
}

const keys = new WeakMap<Secrets, Promise<VapidKey>>()

/** The key; the first start creates it and stores it in the database, encrypted with the server's secret. */
export function vapidKeyOf(core: VapidDependencies): Promise<VapidKey> {
  let key = keys.get(core.secrets)
  if (key === undefined) {
    key = loadKey(core)
    keys.set(core.secrets, key)
  }
  return key
}

async function loadKey(core: VapidDependencies): Promise<VapidKey> {
  const { db, secrets } = core
  return toVapidKey(open(secrets, (await selectKey(db.read)) ?? (await createKey(db, secrets))), core)
}
