import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Lock, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { DecryptedReport } from '@privity/client/founder'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { founderClient } from '../../console/client.ts'
import { reportQuery } from './queries.ts'
import { moderationTexts as texts } from './texts.ts'

/** Preview of a flagged message in the list: the start of a verified report, or why there is no text. */
export function FlagPreview({ flag }: { flag: FlaggedMessage }) {
  if (flag.kind === 'report') return <ReportPreview id={flag.id} />
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

const textOf = ({ body }: DecryptedReport & { state: 'verified' }): string =>
  body.kind === 'file'
    ? texts.file(body.name)
    : [body.quote && `> ${body.quote.excerpt}`, body.text].filter((line) => line !== undefined).join('\n')

const previewCharacters = 100

/** The first 100 characters, counted by code points. */
export function previewOf(text: string): string {
  const characters = Array.from(text)
  return characters.length > previewCharacters ? `${characters.slice(0, previewCharacters).join('')}…` : text
}

/** A report's text in the list, shortened. */
export function Preview({ report }: { report: DecryptedReport }) {
  if (report.state === 'closed') return <span className="mod-none">{texts.notOpened}</span>
  if (report.state === 'refused')
    return (
      <span className="mod-none mod-refused">
        <TriangleAlert className="ic ic-sm" />
        {texts.notVerified}
      </span>
    )
  return <span className="mod-preview">{previewOf(textOf(report))}</span>
}

/** A report's full text, shown only if it is verified. */
export function ReportedText({ report }: { report: DecryptedReport }) {
  if (report.state === 'closed') return <p className="mod-note">{texts.full.closed}</p>
  if (report.state === 'refused')
    return (
      <div className="alert alert-critical" role="alert">
        <CircleAlert className="ic" />
        <span>
          {texts.full.refused} {texts.full.faults[report.fault]}
        </span>
      </div>
    )
  return (
    <>
      <blockquote className="mod-words">{textOf(report)}</blockquote>
      <p className="mod-verified">
        <span className="badge badge-success">
          <ShieldCheck className="ic ic-sm" />
          {texts.full.verified}
        </span>
        <span>
          {texts.full.verifiedHint} {report.earlierKey && texts.full.earlierKey}
        </span>
      </p>
      <h3>{texts.full.reporterSays}</h3>
      <p className="mod-note">{report.reason === '' ? texts.full.nothingSaid : report.reason}</p>
    </>
  )
}
