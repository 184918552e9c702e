import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { Client } from '@privity/client'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { useFocusHeir } from '../../../ui/useFocusSuccessor.ts'
import { DownloadProgress } from './DownloadProgress.tsx'
import { FileAccess } from './FileAccess.tsx'
import { formatSize } from '../fileLabels.ts'
import { fileState } from '../fileState.ts'
import { FileName, FileTile, StateLine } from '../FileParts.tsx'
import { fileStatusQuery } from '../queries.ts'
import type { FileMessage } from './ReceivedFile.tsx'
import { saveFile } from './download.ts'
import { fileTexts as texts } from '../texts.ts'
import { useDownload } from '../useTransfers.ts'

interface OwnFileProps {
  client: Client
  message: FileMessage
  /** First name of the recipient. */
  recipient: string
  onReview: () => void
  onReviewKey: () => void
}

/** A file that the user shared: always downloadable, with the recipient's access below it. */
export function OwnFile({ client, message, recipient, onReview, onReviewKey }: OwnFileProps) {
  const { name, size } = message.body
  const own = fileState({ status: 'can_download' })
  const access = useQuery(fileStatusQuery(client, message.filePath)).data?.recipient
  const download = useDownload(client, message.id)
  const heir = useFocusHeir<HTMLDivElement>()

  function start() {
    client.files.download(message, saveFile)
    toast({ title: texts.downloadStarted })
  }

  return (
    <div className="file" role="group" aria-label={name} {...heir}>
      <FileTile name={name} />
      <div className="grow">
        <FileName name={name} />
        <StateLine {...own} />
        <div className="fm">
          <span>{formatSize(size)}</span>
          <span>{texts.yours}</span>
        </div>
      </div>
      {download ? (
        <DownloadProgress client={client} transfer={download} />
      ) : (
        <Button size="sm" onClick={start}>
          <Download className="ic" />
          {own.button}
        </Button>
      )}
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
    </div>
  )
}
