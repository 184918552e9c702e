import { queryOptions } from '@tanstack/react-query'
import type { Client, DecryptedRequest } from '@privity/client'
import type { FileStatus } from '@privity/contract/files'
import { queryClient } from '../../app/queryClient.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

export const pendingKey = ['/api/file-authorizations/pending'] as const
const statusRoot = ['/api/file-authorizations/check'] as const
const statusKey = (filePath: string) => [...statusRoot, filePath] as const

export function pendingQuery(client: Client) {
  return queryOptions<readonly DecryptedRequest[]>({
    queryKey: pendingKey,
    queryFn: () => client.files.pending(),
  })
}

export function fileStatusQuery(client: Client, filePath: string) {
  return queryOptions<FileStatus>({
    queryKey: statusKey(filePath),
    queryFn: () => client.files.status(filePath),
  })
}

export function patchStatus(filePath: string, status: FileStatus): void {
  queryClient.setQueryData<FileStatus>(statusKey(filePath), status)
}

export function refreshStatus(filePath: string): void {
  void queryClient.invalidateQueries({ queryKey: statusKey(filePath) })
}

export function refreshAllStatuses(): void {
  void queryClient.invalidateQueries({ queryKey: statusRoot })
}

export function refreshPending(): void {
  void queryClient.invalidateQueries({ queryKey: pendingKey })
}

export function patchPending(change: (known: readonly DecryptedRequest[]) => readonly DecryptedRequest[]): void {
  queryClient.setQueryData<readonly DecryptedRequest[]>(pendingKey, (known) => known && change(known))
}

/** Updates access requests and file statuses on the client's events. */
export function useLiveFiles(client: Client): void {
  useClientEvents(client, {
    authorization_requested(request) {
      patchPending((known) => [...known.filter((each) => each.id !== request.id), request])
      refreshStatus(request.filePath)
    },
    authorization_changed({ filePath, status }) {
      patchStatus(filePath, status)
      refreshPending()
    },
    expired: refreshPending,
    deleted: refreshPending,
    connection_removed: refreshPending,
    // The requester's name or address may have changed or been hidden.
    party_changed: refreshPending,
    resync() {
      refreshPending()
      refreshAllStatuses()
    },
  })
}
