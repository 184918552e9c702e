import type { Client, DecryptedMessage, HandedOver } from '@privity/client'
import { queryClient } from '../queryClient.ts'

/** The newest messages of all conversations: more are not handed over. */
const maxMessages = 1_000

/** The queries that are handed over: contacts, conversations and settings. */
const roots = ['/api/connections', '/api/preferences', '/api/unread-counts', 'trust']

interface History {
  messages: DecryptedMessage[]
  older: boolean
}

interface Entry {
  key: readonly unknown[]
  data: unknown
}

export interface ReloadedPage {
  account: HandedOver
  /** When the server was last connected, by its time. */
  asOf: number
  entries: Entry[]
}

/** A conversation, or the progress in it. */
const isHistory = ({ key }: Entry) => key[2] === 'messages'
const isShown = ({ key }: Entry) => roots.includes(String(key[0]))

/** Leaves out the conversations for which there is no room, those of the oldest messages first. */
function withinLimit(entries: Entry[]): Entry[] {
  const newest = ({ data }: Entry) => (data as History).messages.at(-1)?.createdAt ?? 0
  const histories = entries.filter(isHistory).toSorted((one, other) => newest(other) - newest(one))
  let room = maxMessages
  const kept = histories.flatMap(({ key, data }) => {
    const { messages, older } = data as History
    if (room === 0 && messages.length > 0) return []
    const shown = messages.slice(-room)
    room -= shown.length
    return { key, data: { messages: shown, older: older || shown.length < messages.length } }
  })
  return [...entries.filter((entry) => !isHistory(entry)), ...kept]
}

/** Undefined while no account is open, and on a shared computer. */
export function createHandOver(client: Client, asOf: number): ReloadedPage | undefined {
  const account = client.reload.handOver()
  if (!account) return undefined
  const cached = queryClient.getQueryCache().getAll()
  const entries = cached.map(({ queryKey, state }) => ({ key: queryKey, data: state.data }))
  return { account, asOf, entries: withinLimit(entries.filter((entry) => entry.data !== undefined && isShown(entry))) }
}

/** Opens the account of the page before, with what it has shown and has not expired since. */
export async function openHandedOver(client: Client, { account, entries }: ReloadedPage, ageMs: number): Promise<void> {
  // The data first: the pages that are shown when the account opens ask for what is missing.
  const put = ({ key, data }: Entry) => queryClient.setQueryData(key, data)
  for (const entry of entries.filter((each) => !isHistory(each))) put(entry)
  await client.reload.resume(account, ageMs)
  for (const entry of entries.filter(isHistory)) {
    const history = entry.data as History
    put({ ...entry, data: { ...history, messages: await client.reload.restore(history.messages) } })
  }
}
