import type { ReactNode } from 'react'
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type Client, type DecryptedMessage, isCallError } from '@privity/client'
import type { FileStatus } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { toastError } from '../../../app/callError.ts'
import { saveBlob } from '../../../browser/download.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Progress } from '../../../ui/feedback/Progress.tsx'
import { RemainingDots } from '../../../ui/indicator/Remaining.tsx'
import { loadLater } from '../../../ui/lazy.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { useFocusSuccessor } from '../../../ui/useFocusSuccessor.ts'
import { useStore } from '../../../ui/useStore.ts'
import { formatSize } from '../fileLabels.ts'
import { CancelButton, FileName, FileTile, StateLine, TransferWaits } from '../FileParts.tsx'
import { type FileState, fileState, amountOf, percentOf, phaseWords } from '../fileState.ts'
import { fileStatusQuery, patchStatus, refreshStatus } from '../queries.ts'
import { fileTexts as texts } from '../texts.ts'
import { useDownload } from '../useTransfers.ts'
import { FileAccess, type FileMessage } from './FileAccess.tsx'
import { useViewer } from './useViewer.tsx'

const thumbnails = loadLater(() => import('../viewer/Thumbnail.tsx'))

interface FileMessageRowProps {
  client: Client
  message: DecryptedMessage
  /** First name of the recipient. */
  recipient: string
  onReview: () => void
  onReviewKey: () => void
  /** Shown above a file that is viewed. */
  watermark: ReactNode
}

type OwnFileProps = FileMessageRowProps & { message: FileMessage }

const maxDownloads = limits.downloadsPerAuthorization

const isFile = (message: DecryptedMessage): message is FileMessage =>
  message.body.kind === 'file' && message.filePath !== undefined

/** A file in the conversation, as its owner or its recipient sees it. */
export function FileMessageRow({ message, ...props }: FileMessageRowProps) {
  if (!isFile(message)) return null
  return message.mine ? <OwnFile {...props} message={message} /> : <ReceivedFile {...props} message={message} />
}

/** A file that the user shared: always downloadable, with the recipient's access below it. */
function OwnFile({ client, message, recipient, onReview, onReviewKey, watermark }: OwnFileProps) {
  const view = useViewer({ client, message, watermark })
  const own = fileState({ status: 'can_download' })
  const access = useQuery(fileStatusQuery(client, message.filePath)).data?.recipient
  return (
    <FileFrame
      client={client}
      message={message}
      line={own}
      note={<span>{texts.yours}</span>}
      viewer={view.viewer}
      button={
        <div className="file-acts">
          {view.button}
          <Button size="sm" onClick={() => startDownload(client, message)}>
            <Download className="ic" />
            {own.button}
          </Button>
        </div>
      }
    >
      {access && (
        <FileAccess
          client={client}
          message={message}
          recipient={recipient}
          access={access}
          onReview={onReview}
          onReviewKey={onReviewKey}
        />
      )}
    </FileFrame>
  )
}

/** A file from the contact: the user requests access and, once authorized, downloads it up to three times. */
function ReceivedFile({ client, message, watermark }: Pick<OwnFileProps, 'client' | 'message' | 'watermark'>) {
  const view = useViewer({ client, message, watermark })
  const status = useQuery(fileStatusQuery(client, message.filePath))
  const request = useMutation({
    mutationFn: () => client.files.request(message),
    onSuccess(answer) {
      patchStatus(message.filePath, answer)
      toast({ title: texts.requested, description: texts.requestedHint })
    },
    onError(error) {
      refreshStatus(message.filePath)
      toastError(error, texts.requestFailed, texts.requestFailedHint)
    },
  })
  const state = fileState(status.data)
  const unchecked = uncheckedLineOf(status)
  const { action, downloadsLeft } = state
  return (
    <FileFrame
      client={client}
      message={message}
      grant={status.data?.grant}
      line={unchecked ?? state}
      note={
        downloadsLeft !== undefined && (
          <span className="pips-line">
            <RemainingDots left={downloadsLeft} of={maxDownloads} />
            {texts.downloadsLeft(downloadsLeft, maxDownloads)}
          </span>
        )
      }
      viewer={view.viewer}
      button={
        <div className="file-acts">
          {action === 'download' && view.button}
          <Button
            size="sm"
            variant={action === 'download' ? 'primary' : 'secondary'}
            disabled={state.disabled || request.isPending || unchecked?.mark === 'waiting'}
            onClick={() => (action === 'request' ? request.mutate() : startDownload(client, message))}
          >
            {action === 'download' && <Download className="ic" />}
            {state.button}
          </Button>
        </div>
      }
    />
  )
}

/** The line of a file whose permissions could not be loaded; undefined if nothing prevents that. */
function uncheckedLineOf({ isError, error, fetchStatus }: Pick<UseQueryResult, 'isError' | 'error' | 'fetchStatus'>) {
  if (fetchStatus === 'paused' || isCallError(error, 'OFFLINE'))
    return { line: texts.offline, tone: 'info', mark: 'waiting' } as const
  return isError ? ({ line: texts.notChecked, tone: 'no', mark: 'failed' } as const) : undefined
}

interface FileFrameProps {
  client: Client
  message: FileMessage
  /** The approval of a received file, which opens its thumbnail too. */
  grant?: FileStatus['grant']
  line: Pick<FileState, 'line' | 'tone' | 'mark'>
  /** Shown beside the size. */
  note: ReactNode
  /** A running download replaces it by its progress, except behind the viewer, which returns the focus to it. */
  button: ReactNode
  /** The open viewer. */
  viewer: ReactNode
  children?: ReactNode
}

function FileFrame({ client, message, grant, line, note, button, viewer, children }: FileFrameProps) {
  const { name, size } = message.body
  const download = useDownload(client, message.id)
  const focusSuccessor = useFocusSuccessor<HTMLDivElement>()
  return (
    <div className="file" role="group" aria-label={name} {...focusSuccessor}>
      <FilePicture client={client} message={message} grant={grant} />
      <div className="grow">
        <FileName name={name} />
        <StateLine {...line} />
        {download && <TransferWaits {...download} />}
        <div className="fm">
          <span>{formatSize(size)}</span>
          {note}
        </div>
      </div>
      {download && !viewer ? (
        <>
          <CancelButton name={texts.cancelDownload} onCancel={() => client.files.cancel(download.id)} />
          <div className="file-prog">
            <Progress percent={percentOf(download)} label={texts.downloadName(download.name)} />
            <div className="fm">
              <span>{amountOf(download)}</span>
              <span>{phaseWords(download)}</span>
            </div>
          </div>
        </>
      ) : (
        button
      )}
      {viewer}
      {children}
    </div>
  )
}

type FilePictureProps = Pick<FileFrameProps, 'client' | 'message' | 'grant'>

/** The thumbnail where the user can open one, otherwise the tile: in one room, so that nothing moves on approval. */
function FilePicture(props: FilePictureProps) {
  const { message, grant } = props
  const { name, thumbnail } = message.body
  const tile = <FileTile name={name} />
  if (thumbnail === undefined) return tile
  return <span className="file-pic">{message.mine || grant ? <LazyThumbnail {...props} tile={tile} /> : tile}</span>
}

function LazyThumbnail({ tile, message, ...props }: FilePictureProps & { tile: ReactNode }) {
  const Thumbnail = useStore(thumbnails)?.Thumbnail
  if (!Thumbnail) return tile
  return <Thumbnail {...props} message={message} name={message.body.name} tile={tile} />
}

function startDownload(client: Client, message: FileMessage): void {
  client.files.download(message, saveFile)
  toast({ title: texts.downloadStarted })
}

/** Saves a decrypted file under its own name. Saves nothing if the stream fails. */
async function saveFile(name: string, type: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const bytes = await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).blob()
  saveBlob(name, new Blob([bytes], { type: type || 'application/octet-stream' }))
}
