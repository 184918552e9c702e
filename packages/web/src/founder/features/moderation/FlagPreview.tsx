import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { founderClient } from '../../console/client.ts'
import { reportQuery } from './queries.ts'
import { Preview } from './ReportedText.tsx'
import { moderationTexts as texts } from './texts.ts'

/** Preview of a flagged message in the list: the start of a verified report, or why there is no text. */
export function FlagPreview({ flag }: { flag: FlaggedMessage }) {
  return flag.kind === 'report' ? <ReportPreview id={flag.id} /> : <Encrypted />
}

function Encrypted() {
  return (
    <span className="mod-none">
      <Lock className="ic ic-sm" />
      {texts.encrypted}
    </span>
  )
}

function ReportPreview({ id }: { id: string }) {
  const report = useQuery(reportQuery(founderClient, id, 'list'))
  if (report.isPending) return <span className="mod-none">{texts.opening}</span>
  if (report.isError) return <span className="mod-none">{texts.notOpened}</span>
  return <Preview report={report.data} />
}
