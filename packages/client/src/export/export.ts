import { safeFileName } from '../messages/fileName.ts'
import { createArchive } from './archive.ts'
import { gather, type ExportDeps } from './gather.ts'
import { toPage } from './page.ts'
import {
  nameOf,
  toActivityRecords,
  toConnectionRecord,
  toFileRecords,
  toMessageRecord,
  toProfileRecord,
  toSessionRecords,
} from './records.ts'
import type { Conversation, ExportFacts, ExportFile, ExportOptions } from './types.ts'

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** Two contacts may have one name. */
const folderOf = (conversation: Conversation) =>
  `conversations/${safeFileName(nameOf(conversation))} ${conversation.connection.id.slice(-8)}`

/**
 * One ZIP of the user's own data, gathered and opened in this browser. Throws the CallError of what could not be
 * had, EXPORTS_OFF where data downloads are switched off, or the signal's reason; half an export is none.
 */
export async function createExport(deps: ExportDeps, options: ExportOptions): Promise<ExportFile> {
  const gathered = await gather(deps, options)
  const { account, conversations } = gathered
  const { madeAt } = account
  const files = toFileRecords(gathered)
  const facts: ExportFacts = {
    madeAt,
    username: account.profile.username,
    conversations: conversations.length,
    messages: conversations.reduce((sum, { messages }) => sum + messages.length, 0),
    files: files.length,
  }
  const archive = createArchive(madeAt)
  archive.add('README.txt', options.texts.readme(facts))
  archive.add('profile.json', json(toProfileRecord(gathered)))
  archive.add('preferences.json', json(account.preferences))
  archive.add('sessions.json', json(toSessionRecords(gathered)))
  archive.add('activity.json', json(toActivityRecords(gathered)))
  archive.add('connections.json', json(conversations.map(toConnectionRecord)))
  archive.add('files.json', json(files))
  for (const conversation of conversations) {
    const folder = folderOf(conversation)
    archive.add(`${folder}/messages.json`, json(conversation.messages.map(toMessageRecord)))
    archive.add(`${folder}/messages.html`, toPage(conversation, madeAt, options.texts))
  }
  const day = new Date(madeAt).toISOString().slice(0, 10)
  const name = `privity-export-${account.profile.username}-${day}.zip`
  return { name, content: archive.finish(), facts, mailed: account.mailed }
}
