import { useMemo } from 'react'
import { RotateCcw } from 'lucide-react'
import type { Client, Transfer } from '@privity/client'
import { useStore } from '../../../ui/useStore.ts'
import { uploadQueueOf, type WaitingFile } from './uploadQueue.ts'
import { useUploads } from '../useTransfers.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Progress } from '../../../ui/feedback/Progress.tsx'
import { formatSize } from '../fileLabels.ts'
import { FileName, CancelButton, FileTile, StateLine, TransferWaits } from '../FileParts.tsx'
import { amountOf, percentOf, phaseWords, reasonOf } from '../fileState.ts'
import { fileTexts as texts } from '../texts.ts'

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

/** Has the room of a thumbnail for a picture, so that the row does not move when the file is sent. */
function OutgoingTile({ name, type }: { name: string; type: string }) {
  const tile = <FileTile name={name} />
  return type.startsWith('image/') ? <span className="file-pic">{tile}</span> : tile
}

/** A file being uploaded, shown as the last of the user's own messages. */
function UploadRow({ client, transfer }: { client: Client; transfer: Transfer }) {
  const failed = transfer.phase === 'failed'
  return (
    <article className="msg own turn has-file" aria-label={texts.uploadName(transfer.name)}>
      <div className="file">
        <OutgoingTile name={transfer.name} type={transfer.type} />
        <div className="grow">
          <FileName name={transfer.name} />
          {failed ? <FailedState transfer={transfer} /> : <TransferWaits {...transfer} />}
          <div className="fm">
            {failed ? (
              <span>{transfer.resumes ? texts.resumes : reasonOf(transfer)}</span>
            ) : (
              <>
                <span>{amountOf(transfer)}</span>
                <span>{phaseWords(transfer)}</span>
              </>
            )}
          </div>
        </div>
        {failed ? (
          <FailedActions client={client} transfer={transfer} />
        ) : (
          <CancelButton name={texts.cancelUpload} onCancel={() => client.files.cancel(transfer.id)} />
        )}
        <div className="file-prog">
          <Progress
            percent={percentOf(transfer)}
            label={texts.uploadName(transfer.name)}
            {...(failed && !transfer.resumes ? { tone: 'crit' as const } : {})}
          />
        </div>
      </div>
      {!failed && <div className="meta">{texts.sending(percentOf(transfer))}</div>}
    </article>
  )
}

function FailedState({ transfer }: { transfer: Transfer }) {
  if (transfer.resumes) return <StateLine line={texts.interrupted} tone="wait" mark="waiting" />
  return <StateLine line={texts.uploadFailed} tone="no" mark="failed" />
}

function FailedActions({ client, transfer }: { client: Client; transfer: Transfer }) {
  function dismiss() {
    client.files.dismiss(transfer.id)
    // Its message may already be in the outbox.
    void client.messages.discard(transfer.messageId)
  }
  return (
    <div className="file-acts">
      <Button size="sm" onClick={() => client.files.retry(transfer.id)}>
        <RotateCcw className="ic" />
        {texts.retry}
      </Button>
      <CancelButton name={texts.dismiss} onCancel={dismiss} />
    </div>
  )
}

/** A file that waits for earlier uploads. */
function WaitingRow({ file, onCancel }: { file: File; onCancel: () => void }) {
  return (
    <article className="msg own turn has-file" aria-label={texts.uploadName(file.name)}>
      <div className="file">
        <OutgoingTile name={file.name} type={file.type} />
        <div className="grow">
          <FileName name={file.name} />
          <div className="fm">
            <span>{formatSize(file.size)}</span>
            <span>{texts.waiting}</span>
          </div>
        </div>
        <CancelButton name={texts.cancelUpload} onCancel={onCancel} />
      </div>
    </article>
  )
}
