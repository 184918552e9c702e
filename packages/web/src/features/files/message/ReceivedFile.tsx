import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { Client, DecryptedMessage } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { messageFor } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { RemainingDots } from '../../../ui/indicator/RemainingDots.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { useFocusHeir } from '../../../ui/useFocusSuccessor.ts'
import { DownloadProgress } from './DownloadProgress.tsx'
import { formatSize } from '../fileLabels.ts'
import { fileState } from '../fileState.ts'
import { FileName, FileTile, StateLine } from '../FileParts.tsx'
import { fileStatusQuery, patchStatus, refreshStatus } from '../queries.ts'
import { saveFile } from './download.ts'
import { fileTexts as texts } from '../texts.ts'
import { useDownload } from '../useTransfers.ts'

export type FileMessage = DecryptedMessage & { body: { kind: 'file' }; filePath: string }

const most = limits.downloadsPerAuthorization

/** A file from the contact: the user requests access and, once authorized, downloads it up to three times. */
export function ReceivedFile({ client, message }: { client: Client; message: FileMessage }) {
  const { name, size } = message.body
  const status = useQuery(fileStatusQuery(client, message.filePath))
  const download = useDownload(client, message.id)
  const heir = useFocusHeir<HTMLDivElement>()
  const request = useMutation({
    mutationFn: () => client.files.request(message),
    onSuccess(answer) {
      patchStatus(message.filePath, answer)
      toast({ title: texts.requested, description: texts.requestedHint })
    },
    onError(error) {
      refreshStatus(message.filePath)
      toast({
        title: texts.requestFailed,
        description: messageFor(error, texts.requestFailedHint),
        tone: 'destructive',
      })
    },
  })
  const state = fileState(status.data)
  const line = status.isError ? ({ line: texts.notChecked, tone: 'no', mark: 'failed' } as const) : state

  function act() {
    if (state.action === 'request') return request.mutate()
    client.files.download(message, saveFile)
    toast({ title: texts.downloadStarted })
  }

  return (
    <div className="file" role="group" aria-label={name} {...heir}>
      <FileTile name={name} />
      <div className="grow">
        <FileName name={name} />
        <StateLine {...line} />
        <div className="fm">
          <span>{formatSize(size)}</span>
          {state.downloadsLeft !== undefined && (
            <span className="pips-line">
              <RemainingDots left={state.downloadsLeft} of={most} />
              {texts.downloadsLeft(state.downloadsLeft, most)}
            </span>
          )}
        </div>
      </div>
      {download ? (
        <DownloadProgress client={client} transfer={download} />
      ) : (
        <Button
          size="sm"
          variant={state.action === 'download' ? 'primary' : 'secondary'}
          disabled={state.disabled || request.isPending}
          onClick={act}
        >
          {state.action === 'download' && <Download className="ic" />}
          {state.button}
        </Button>
      )}
    </div>
  )
}
