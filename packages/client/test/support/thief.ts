import { type Envelope, type Message, messages } from '@privity/contract/messages'
import { deriveSignIn, importAccountKey, openEnvelope, openMessage, openPrivate, unwrapAccountKey } from '@privity/e2ee'
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

/** The seeds that the database holds for this person, opened with the server's secret and the person's password. */
export async function stealSeeds({ server }: Stage, { user, username, password }: Person) {
  const { db, secrets } = server.core
  const row = await db.read.get<{ wrapped_account_key: string }>('select wrapped_account_key from users where id = ?', [
    user.id,
  ])
  const { wrapKey } = await deriveSignIn(await deriveQuickly(password, username))
  const wrapped = secrets.decryptAtRest(row?.wrapped_account_key ?? '')
  const raw = await unwrapAccountKey(wrapKey, wrapped, { userId: user.id, purpose: 'password' })
  const accountKey = await importAccountKey(raw)
  const epochs = await db.read.all<{ n: number; wrapped_seed: string | null }>(
    'select n, wrapped_seed from epochs where user_id = ?',
    [user.id],
  )
  const opened = epochs.map(async ({ n, wrapped_seed: seed }) => {
    if (seed === null) return []
    const binding = { userId: user.id, purpose: 'epoch-seed', id: String(n) }
    return [[n, await openPrivate(accountKey, binding, secrets.decryptAtRest(seed))] as const]
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
): Promise<string[]> {
  const seeds = stolen ?? (await stealSeeds(stage, victim))
  const [me, other] = await Promise.all(
    [victim, contact].map(async (person) => ({ userId: person.user.id, identityKey: await identityOf(stage, person) })),
  )
  if (!me || !other) throw new Error('Two people are needed.')
  const texts: string[] = []
  for (const envelope of recording.envelopes.values()) {
    const mine = envelope.from === me.userId
    const seed = seeds.get(mine ? envelope.epochFrom : envelope.epochTo)
    if (!seed) continue
    const conversationKey = await openEnvelope({ envelope, me, seed, contact: other })
    const senderIdentityKey = mine ? me.identityKey : other.identityKey
    for (const { content } of recording.messages.values()) {
      const opened = await openMessage({ content, conversationKey, envelope, senderIdentityKey }).catch(() => undefined)
      if (opened?.body.kind === 'text') texts.push(opened.body.text)
    }
  }
  return texts
}
