import { type Envelope, type Message, messages } from '@privity/contract/messages'
import {
  type AccountKey,
  deriveSignIn,
  importAccountKey,
  openEnvelope,
  openForBrowser,
  openMessage,
  openPrivate,
  unwrapAccountKey,
} from '@privity/e2ee'
import { deriveQuickly } from './derivation.ts'
import type { Person, Stage } from './stage.ts'

/** Everything that was ever sent in a connection, as somebody on the wire keeps it. */
export interface Recording {
  /** Adds what the server gives now. */
  record(by: Person): Promise<void>
  readonly messages: Map<string, Message>
  readonly envelopes: Map<string, Envelope>
}

export function createRecording(connectionId: string): Recording {
  const [recorded, envelopes] = [new Map<string, Message>(), new Map<string, Envelope>()]
  return {
    messages: recorded,
    envelopes,
    async record({ client }) {
      for (const message of await client.call(messages.list, { params: { id: connectionId }, query: {} })) {
        recorded.set(message.id, message)
        if (message.envelope) envelopes.set(message.envelope.id, message.envelope)
      }
    },
  }
}

/** This person's account key, opened with the database, the server's secret and the password. */
export async function stealAccountKey({ server }: Stage, { user, username, password }: Person): Promise<AccountKey> {
  const { db, secrets } = server.core
  const row = await db.read.get<{ wrapped_account_key: string }>('select wrapped_account_key from users where id = ?', [
    user.id,
  ])
  const { wrapKey } = await deriveSignIn(await deriveQuickly(password, username))
  const wrapped = secrets.decryptAtRest(row?.wrapped_account_key ?? '')
  const raw = await unwrapAccountKey(wrapKey, wrapped, { userId: user.id, purpose: 'password' })
  return importAccountKey(raw)
}

/** The sealed account key of a copied disk, which opens with the server's share of its session. */
export interface StolenDisk {
  userId: string
  sessionId: string
  browserKey: CryptoKey
  sealed: string
}

export const stealDisk = async ({ device }: Person) => (await device.get('keys')) as StolenDisk

/** The account key of a copied disk, with the share that the database holds now; undefined where it holds none. */
export async function openDisk({ server }: Stage, disk: StolenDisk): Promise<AccountKey | undefined> {
  const { db, secrets } = server.core
  const sql = 'select key_share from sessions where id = ?'
  const share = (await db.read.get<{ key_share: string }>(sql, [disk.sessionId]))?.key_share
  if (share === undefined) return undefined
  return importAccountKey(await openForBrowser(disk.browserKey, secrets.decryptAtRest(share), disk.sealed, disk))
}

/**
 * The seeds that the database holds for this person, opened with the server's secret and their account key; the one
 * that the password opens, unless given. Those that it does not open are left out.
 */
export async function stealSeeds(stage: Stage, person: Person, stolenKey?: AccountKey) {
  const { db, secrets } = stage.server.core
  const { user } = person
  const accountKey = stolenKey ?? (await stealAccountKey(stage, person))
  const epochs = await db.read.all<{ n: number; wrapped_seed: string | null }>(
    'select n, wrapped_seed from epochs where user_id = ?',
    [user.id],
  )
  const opened = epochs.map(async ({ n, wrapped_seed: seed }) => {
    if (seed === null) return []
    const binding = { userId: user.id, purpose: 'epoch-seed', id: String(n) }
    const opened = await openPrivate(accountKey, binding, secrets.decryptAtRest(seed)).catch(() => undefined)
    return opened ? [[n, opened] as const] : []
  })
  return new Map((await Promise.all(opened)).flat())
}

const identityOf = async ({ server }: Stage, { user }: Person) => {
  const sql = 'select identity_key from users where id = ?'
  return (await server.core.db.read.get<{ identity_key: string }>(sql, [user.id]))?.identity_key ?? ''
}

/** The texts of the recording that open with seeds of `victim`; those that `stealSeeds` finds now, unless given. */
export async function textsOfThief(
  stage: Stage,
  victim: Person,
  contact: Person,
  recording: Recording,
  stolen?: Awaited<ReturnType<typeof stealSeeds>>,
  /** The victim's identity key when the seeds were stolen. */
  identityKey?: string,
): Promise<string[]> {
  const seeds = stolen ?? (await stealSeeds(stage, victim))
  const me = { userId: victim.user.id, identityKey: identityKey ?? (await identityOf(stage, victim)) }
  const other = { userId: contact.user.id, identityKey: await identityOf(stage, contact) }
  const texts: string[] = []
  for (const envelope of recording.envelopes.values()) {
    const mine = envelope.from === me.userId
    const seed = seeds.get(mine ? envelope.epochFrom : envelope.epochTo)
    if (!seed) continue
    const conversationKey = await openEnvelope({ envelope, me, seed, contact: other }).catch(() => undefined)
    if (!conversationKey) continue
    const senderIdentityKey = mine ? me.identityKey : other.identityKey
    for (const { content } of recording.messages.values()) {
      const opened = await openMessage({ content, conversationKey, envelope, senderIdentityKey }).catch(() => undefined)
      if (opened?.body.kind === 'text') texts.push(opened.body.text)
    }
  }
  return texts
}
