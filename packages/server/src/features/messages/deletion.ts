import { hash } from 'node:crypto'
import { AppError } from '@privity/contract/errors'
import type { Message } from '@privity/contract/messages'
import { messageLinkBytes, signedDeletionBytes } from '@privity/contract/signedBytes'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import type { Caller } from '../../core/http/guards.ts'
import { requireMembership } from '../connections/membership.ts'
import { destroyFiles, endFile } from '../files/files.ts'
import { requireKeys } from '../keys/requireKeys.ts'
import { decode, invalid, isSignedBy } from '../keys/signatures.ts'
import { deleteFileNotifications } from '../notifications/notifications.ts'
import { getUser } from '../session/users.ts'
import { clearedContent, readStored, type Receipts, storedCommitment } from './encryptedContent.ts'
import { clearMessage, selectOwnMessage } from './queries.ts'
import { toMessage, toSender } from './view.ts'

interface Deletion {
  id: string
  deletion: string
}

const linkBytes = 20
const numberBytes = 4

/** Without the identity key of its sender, a session deletes no message. */
async function checkSignature(tx: Tx, row: MessageRow, deletion: string): Promise<void> {
  const { messageId, envelopeId, signature: seal } = readStored(row.content)
  const bytes = decode(deletion)
  const [number, signature] = [bytes.subarray(0, numberBytes), bytes.subarray(numberBytes)]
  const link = hash('sha256', messageLinkBytes(seal), 'buffer').subarray(0, linkBytes)
  const { identity_key: identityKey } = requireKeys(await getUser(tx, row.sender_id))
  const deleted = { userId: row.sender_id, connectionId: row.connection_id, messageId, envelopeId, link, number }
  if (!isSignedBy(identityKey, signedDeletionBytes(identityKey, deleted, decode), signature))
    throw invalid('deletion', 'The identity key did not sign the deletion.')
}

/** Clears the row, which stays: a repeated send is recognized by it, and later messages name this one. */
async function clear(core: Core, tx: Tx, caller: Caller, row: MessageRow, deletion: string): Promise<MessageRow> {
  await checkSignature(tx, row, deletion)
  const { contactId } = await requireMembership(tx, row.connection_id, caller.userId)
  const [now, content] = [core.clock.now(), clearedContent(row.content)]
  await clearMessage(tx, row.id, content, deletion)
  if (row.file_id !== null) {
    await endFile(tx, row.file_id, now)
    await deleteFileNotifications(tx, core, row.file_id, [caller.userId, contactId])
  }
  // Without an id: the log must not show when somebody wrote to whom.
  await auditCall(tx, caller, { action: 'message_deleted', at: now })
  tx.afterCommit(core.db.emptyLogSoon)
  return { ...row, content, deletion, file_id: null }
}

/** As its sender and its recipient get it: nothing is left that only one of them may see. */
async function toDeleted(tx: Tx, receipts: Receipts, row: MessageRow) {
  const { contactId } = await requireMembership(tx, row.connection_id, row.sender_id)
  const receipt = receipts.of(row, contactId, storedCommitment(row.content))
  return { contactId, message: toMessage(row, toSender(await getUser(tx, row.sender_id)), receipt, row.sender_id) }
}

/**
 * Deletes a message for both participants, with its file, before the caller gets a response. Only its sender can delete
 * it: for everyone else it does not exist. Deleting it again changes nothing.
 */
export async function deleteMessage(
  core: Core,
  receipts: Receipts,
  caller: Caller,
  { id, deletion }: Deletion,
): Promise<Message> {
  const { message, fileId } = await core.db.write(async (tx) => {
    const row = await selectOwnMessage(tx, { id, senderId: caller.userId, now: core.clock.now() })
    if (row === undefined) throw new AppError('MESSAGE_NOT_FOUND')
    if (row.deletion !== null) return { ...(await toDeleted(tx, receipts, row)), fileId: null }
    const deleted = await toDeleted(tx, receipts, await clear(core, tx, caller, row, deletion))
    const userIds = [deleted.contactId, caller.userId]
    tx.afterCommit(() => core.sockets.notify(userIds, { type: 'message_deleted', message: deleted.message }))
    return { ...deleted, fileId: row.file_id }
  })
  if (fileId !== null) await destroyFile(core, fileId)
  return message
}

async function destroyFile(core: Core, fileId: string): Promise<void> {
  const { failure } = await destroyFiles(core, [fileId])
  core.db.emptyLogSoon()
  if (failure) core.log.error({ err: failure.error }, 'the retention job destroys the file of a deleted message')
}
