import { safeFileName } from '../messages/fileName.ts'
import { createArchive } from './archive.ts'
import { gatherData, type ExportDeps } from './gather.ts'
import { renderConversation } from './page.ts'
import {
  nameOf,
  toActivityRecords,
  toBrowserRecords,
  toConnectionRecord,
  toFileRecords,
  toMessageRecord,
  toProfileRecord,
  toSessionRecords,
} from './records.ts'
import type { Conversation, ExportFacts, ExportFile, ExportOptions } from './types.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Ends with part of the id, because two contacts may have the same name. */
const folderOf = (conversation: Conversation) =>
  `conversations/${safeFileName(nameOf(conversation))} ${conversation.connection.id.slice(-8)}`

/**
 * Creates one ZIP of the user's own data, decrypted in this browser. Throws EXPORTS_OFF where data downloads are off,
 * the CallError of any failed call, or the signal's reason: no partial export is created.
 */
export async function createExport(deps: ExportDeps, options: ExportOptions): Promise<ExportFile> {
  const data = await gatherData(deps, options)
  const { account, conversations } = data
  const { madeAt } = account
  const files = toFileRecords(data)
  const facts: ExportFacts = {
    madeAt,
    username: account.profile.username,
    conversations: conversations.length,
    messages: conversations.reduce((sum, { messages }) => sum + messages.length, 0),
    files: files.length,
  }
  const archive = createArchive(madeAt)
  archive.add('README.txt', options.texts.readme(facts))
  archive.add('profile.json', json(toProfileRecord(data)))
  archive.add('preferences.json', json(account.preferences))
  archive.add('sessions.json', json(toSessionRecords(data)))
  archive.add('browsers.json', json(toBrowserRecords(data)))
  archive.add('activity.json', json(toActivityRecords(data)))
  archive.add('connections.json', json(conversations.map(toConnectionRecord)))
  archive.add('files.json', json(files))
  for (const conversation of conversations) {
    const folder = folderOf(conversation)
    archive.add(`${folder}/messages.json`, json(conversation.messages.map(toMessageRecord)))
    archive.add(`${folder}/messages.html`, renderConversation(conversation, madeAt, options.texts))
  }
  const day = new Date(madeAt).toISOString().slice(0, 10)
  const name = `privity-export-${account.profile.username}-${day}.zip`
  return { name, content: archive.finish(), facts, mailed: account.mailed }
}
