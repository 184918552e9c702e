import type { Client, Transfer } from '@privity/client'
import { Progress } from '../../../ui/feedback/Progress.tsx'
import { amountOf, percentOf, phaseWords } from '../transferState.ts'
import { fileTexts as texts } from '../texts.ts'
import { CancelButton } from '../FileParts.tsx'

/** Replaces a file row's button during a download: shows the progress and cancels it. */
export function DownloadProgress({ client, transfer }: { client: Client; transfer: Transfer }) {
  return (
    <>
      <CancelButton name={texts.cancelDownload} onCancel={() => client.files.cancel(transfer.id)} />
      <div className="file-prog">
        <Progress percent={percentOf(transfer)} label={texts.downloadName(transfer.name)} />
        <div className="fm">
          <span>{amountOf(transfer)}</span>
          <span>{phaseWords(transfer)}</span>
        </div>
      </div>
    </>
  )
}
