import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@privity/contract/limits'
import { invitations } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import type { Db, Reader } from '../../../src/core/database/types.ts'
import { type Caller, createCaller, nextAddress } from '../../support/server/caller.ts'
import type { Member } from '../../support/server/testServer.ts'
import { everyTable } from '../../support/database/schema.ts'
import { approve, createTalk, randomFile, registerFile, upload } from '../../support/scenes/conversation.ts'
import { idIn } from '../../support/scenes/uploads.ts'
import { connectMembers, signUpMember } from './cluster.ts'

/** An administrator with two contacts, messages, files in every state, an invitation and two sessions. */
export interface WholeAccount {
  anna: Member
  /** Their second session, in another browser. */
  elsewhere: Caller
  ben: Member
  connectionIds: readonly string[]
  /** Ids of the account, its connections, and the objects of both participants. */
  ids: readonly string[]
}

export async function createWholeAccount(db: Db, url: () => string, cara: Member): Promise<WholeAccount> {
  const server = { signUp: (name?: string) => signUpMember(name, url), connect: connectMembers }
  const { anna, ben, connection, send, sendFile } = await createTalk(server)
  const second = await connectMembers(anna, cara)
  await connectMembers(ben, cara)
  await send(anna)
  await send(ben)
  const [own, theirs] = [await sendFile(anna), await sendFile(ben)]
  await approve(anna, ben, own.filePath)
  await approve(ben, anna, theirs.filePath)
  const registered = await registerFile(anna, randomFile(10))
  const { uploadURL } = await upload(anna, randomFile(10))
  await db.write((tx) => tx.run("update users set role = 'org_admin' where id = ?", [anna.user.id]))
  await anna.call(invitations.create, { body: { role: 'user', validFor: limits.invitationUsual } })
  const elsewhere = createCaller(url, nextAddress())
  await elsewhere.call(session.login, { body: { username: anna.user.username, password: anna.password } })
  const objectIds = [own.filePath, theirs.filePath, registered.filePath, uploadURL].map(idIn)
  const connectionIds = [connection.id, second.id]
  return { anna, elsewhere, ben, connectionIds, ids: [anna.user.id, ...connectionIds, ...objectIds] }
}

export interface FoundRow {
  table: string
  row: Record<string, unknown>
}

/** Every row that contains one of these texts. For PostgreSQL only. */
export async function selectRowsWith(db: Reader, texts: readonly string[]): Promise<FoundRow[]> {
  const found: FoundRow[] = []
  const condition = texts.map(() => 'strpos(cast(t as text), ?) > 0').join(' or ')
  for (const table of await everyTable(db)) {
    const rows = await db.all<FoundRow['row']>(`select * from "${table}" t where ${condition}`, texts)
    found.push(...rows.map((row) => ({ table, row })))
  }
  return found
}

/** Ids of the stored objects, complete and partial. */
export async function listObjects(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'objects'), { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
