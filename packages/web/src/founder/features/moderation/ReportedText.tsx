import { CircleAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { DecryptedReport } from '@privity/client/founder'
import { previewOf } from './reasonKind.ts'
import { moderationTexts } from './texts.ts'

const wordsOf = ({ body }: DecryptedReport & { state: 'verified' }): string =>
  body.kind === 'text' ? body.text : moderationTexts.file(body.name)

/** A report's text in the list, shortened. */
export function Preview({ report }: { report: DecryptedReport }) {
  if (report.state === 'closed') return <span className="mod-none">{moderationTexts.notOpened}</span>
  if (report.state === 'refused')
    return (
      <span className="mod-none mod-refused">
        <TriangleAlert className="ic ic-sm" />
        {moderationTexts.notVerified}
      </span>
    )
  return <span className="mod-preview">{previewOf(wordsOf(report))}</span>
}

/** A report's full text, shown only if it is verified. */
export function ReportWords({ report }: { report: DecryptedReport }) {
  if (report.state === 'closed') return <p className="mod-note">{moderationTexts.full.closed}</p>
  if (report.state === 'refused')
    return (
      <div className="alert alert-critical" role="alert">
        <CircleAlert className="ic" />
        <span>
          {moderationTexts.full.refused} {moderationTexts.full.faults[report.fault]}
        </span>
      </div>
    )
  return (
    <>
      <blockquote className="mod-words">{wordsOf(report)}</blockquote>
      <p className="mod-verified">
        <span className="badge badge-success">
          <ShieldCheck className="ic ic-sm" />
          {moderationTexts.full.verified}
        </span>
        <span>
          {moderationTexts.full.verifiedHint} {report.earlierKey && moderationTexts.full.earlierKey}
        </span>
      </p>
      <h3>{moderationTexts.full.reporterSays}</h3>
      <p className="mod-note">{report.reason === '' ? moderationTexts.full.nothingSaid : report.reason}</p>
    </>
  )
}
