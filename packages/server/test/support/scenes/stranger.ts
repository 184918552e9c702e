import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { notifications } from '@privity/contract/notifications'
import type { Member, TestServer } from '../server/testServer.ts'
import { listBrowser } from './browsers.ts'
import { ask, receivedBy, switchDirectoryOn } from './directory.ts'
import { addPasskey } from './secondFactor.ts'
import { approve, createTalk, randomFile, registerFile, type SentFile, type Talk, upload } from './conversation.ts'

/** A conversation of two members, and a signed-in stranger with a contact of their own, who tries to access it. */
export interface Scene {
  talk: Talk
  file: SentFile
  pending: SentFile
  pendingId: string
  approvedId: string
  uploadURL: string
  registered: string
  noticeId: string
  passkeyId: string
  browserId: string
  stranger: Member
  own: Talk
  /** The member whom the first member of the talk has blocked. */
  blockedId: string
  /** A request of a further member to the first one of the talk. */
  requestId: string
}

export async function createScene(server: TestServer): Promise<Scene> {
  const talk = await createTalk(server)
  const own = await createTalk(server)
  await talk.send(talk.anna)
  await talk.send(talk.ben)
  await own.send(own.anna)
  const [file, pending] = [await talk.sendFile(talk.anna), await talk.sendFile(talk.anna)]
  const approvedId = await approve(talk.anna, talk.ben, file.filePath)
  const { authorizationId = '' } = await talk.ben.call(files.request, { body: { filePath: pending.filePath } })
  const { uploadURL } = await upload(talk.anna, randomFile(10))
  const registered = (await registerFile(talk.anna, randomFile(10))).filePath
  const blocked = await server.signUp()
  const toBlock = await server.connect(talk.anna, blocked)
  await talk.anna.call(connections.block, { params: { id: toBlock.id } })
  await switchDirectoryOn(server)
  await ask(await server.signUp(), talk.anna)
  const { notifications: notices } = await talk.anna.call(notifications.list, { query: {} })
  return {
    blockedId: blocked.user.id,
    requestId: await receivedBy(talk.anna),
    talk,
    file,
    pending,
    pendingId: authorizationId,
    approvedId,
    uploadURL,
    registered,
    noticeId: notices[0]?.id ?? '',
    passkeyId: (await addPasskey(server, talk.anna)).id,
    browserId: (await listBrowser(talk.anna)).browserId,
    stranger: own.anna,
    own,
  }
}
