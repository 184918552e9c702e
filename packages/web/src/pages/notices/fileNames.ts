import type { DecryptedRequest } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { pendingKey } from '../../features/files/queries.ts'
import type { OpenedHistory } from '../../features/messages/queries.ts'

/** A file's name as decrypted by this browser, from a pending request or a loaded conversation. */
export function fileNameOf(filePath: string): string | undefined {
  const pending = queryClient.getQueryData<readonly DecryptedRequest[]>(pendingKey) ?? []
  const asked = pending.find((request) => request.filePath === filePath)?.name
  if (asked !== undefined) return asked
  const histories = queryClient.getQueriesData<OpenedHistory>({
    predicate: ({ queryKey }) => queryKey[0] === '/api/connections' && queryKey[2] === 'messages',
  })
  for (const [, history] of histories) {
    const body = history?.messages.find((message) => message.filePath === filePath)?.body
    if (body?.kind === 'file') return body.name
  }
  return undefined
}
