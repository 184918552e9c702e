import { useMemo } from 'react'
import type { Client, Transfer } from '@privity/client'
import { useStore } from '../../../ui/useStore.ts'
import { UploadRow, WaitingRow } from './UploadRow.tsx'
import { uploadQueueOf, type WaitingFile } from './uploadQueue.ts'
import { useUploads } from '../useTransfers.ts'

/** The outgoing files of a conversation: running or failed uploads, then waiting ones. */
export function useOutgoingFiles(client: Client, connectionId: string) {
  const transfers = useUploads(client, connectionId)
  const queue = useStore(uploadQueueOf(client))
  const waiting = useMemo(() => queue.filter((each) => each.connectionId === connectionId), [queue, connectionId])
  const messageIds = useMemo(() => new Set(transfers.map((transfer) => transfer.messageId)), [transfers])
  return { transfers, waiting, messageIds }
}

interface UploadsProps {
  client: Client
  transfers: readonly Transfer[]
  waiting: readonly WaitingFile[]
}

export function Uploads({ client, transfers, waiting }: UploadsProps) {
  return (
    <>
      {transfers.map((transfer) => (
        <UploadRow key={transfer.id} client={client} transfer={transfer} />
      ))}
      {waiting.map(({ id, file }) => (
        <WaitingRow key={id} file={file} onCancel={() => uploadQueueOf(client).remove(id)} />
      ))}
    </>
  )
}
