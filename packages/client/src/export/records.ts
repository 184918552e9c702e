import type { DecryptedMessage } from '../types.ts'
import type { Conversation, ExportData } from './types.ts'

/** The exported records: times in ISO 8601, no keys, nothing encrypted. */
const iso = (time: number) => new Date(time).toISOString()

export const nameOf = ({ party }: Pick<Conversation, 'party'>) => `${party.firstName} ${party.lastName}`.trim()

function bodyOf({ body }: DecryptedMessage) {
  if (body.kind === 'text') return { text: body.text }
  if (body.kind === 'deleted') return { deleted: true }
  if (body.kind === 'unreadable') return { unreadable: body.reason.sentence }
  return { file: { name: body.name, type: body.type, bytes: body.size } }
}

export const toMessageRecord = (message: DecryptedMessage) => ({
  id: message.id,
  number: message.seq,
  from: message.mine ? 'me' : 'contact',
  sentAt: iso(message.createdAt),
  disappearsAt: iso(message.expiresAt),
  ...bodyOf(message),
})

export const toProfileRecord = ({ account }: ExportData) => {
  const { createdAt, ...profile } = account.profile
  return { ...profile, createdAt: iso(createdAt), organization: account.organization }
}

export const toSessionRecords = ({ account }: ExportData) =>
  account.sessions.map(({ createdAt, lastUsedAt, ...rest }) => ({
    ...rest,
    createdAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
  }))

export const toBrowserRecords = ({ account }: ExportData) =>
  account.browsers.map(({ firstUsedAt, lastUsedAt, ...rest }) => ({
    ...rest,
    firstUsedAt: iso(firstUsedAt),
    lastUsedAt: iso(lastUsedAt),
  }))

export const toActivityRecords = ({ account }: ExportData) =>
  account.activity.map(({ at, ...rest }) => ({ at: iso(at), ...rest }))

export const toConnectionRecord = ({ connection, party, trust, messages, draft }: Conversation) => ({
  id: connection.id,
  connectedAt: iso(connection.connectedAt),
  status: connection.status,
  contact: {
    firstName: party.firstName,
    lastName: party.lastName,
    username: party.username,
    email: party.email,
    available: party.available,
  },
  verification: trust?.state ?? 'unknown',
  safetyNumber: trust?.safetyNumber,
  sendingPaused: trust?.paused,
  messages: messages.length,
  ...(draft !== '' && { draft }),
})

/** The files that the user has sent and that have not expired. */
export const toFileRecords = ({ conversations }: ExportData) =>
  conversations.flatMap((conversation) =>
    conversation.messages.flatMap(({ mine, body, createdAt, expiresAt }) =>
      mine && body.kind === 'file'
        ? [
            {
              name: body.name,
              type: body.type,
              bytes: body.size,
              sentTo: nameOf(conversation),
              connectionId: conversation.connection.id,
              sentAt: iso(createdAt),
              disappearsAt: iso(expiresAt),
            },
          ]
        : [],
    ),
  )
