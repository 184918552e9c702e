import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { founderClient } from '../../console/client.ts'
import { FlagTime } from './columns.tsx'
import { reportQuery } from './queries.ts'
import { ReportWords } from './ReportedText.tsx'
import { moderationTexts } from './texts.ts'
import '../../../ui/panel/facts.css'

const texts = () => moderationTexts.full

/** All facts about a flagged message; its text only if a report proves it. */
export function FullMessage({ flag, onClose }: { flag: FlaggedMessage; onClose: () => void }) {
  const { formatDate, formatTime } = useDateTime()
  const format = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`
  const { sender, reporter, flagReason, flaggedAt, sentAt, expiresAt } = flag
  const nameOf = (person: typeof sender) => `${fullName(person)} @${person.username}`
  const facts: (readonly [string, ReactNode])[] = [
    [texts().sender, nameOf(sender)],
    [texts().reason, flagReason],
    ...(reporter ? [[texts().reporter, nameOf(reporter)] as const] : []),
    [texts().sentAt, <FlagTime key="" at={sentAt} format={format} />],
    [texts().time, <FlagTime key="" at={flaggedAt} format={format} />],
    [texts().expires, <FlagTime key="" at={expiresAt} format={format} />],
  ]
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={texts().title}
      size="lg"
      footer={<Button onClick={onClose}>{texts().close}</Button>}
    >
      <div className="mod-full">
        <dl className="dl">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <section>
          <h3>{texts().message}</h3>
          {flag.kind === 'report' ? <Report id={flag.id} /> : <p className="mod-note">{texts().encryptedHint}</p>}
        </section>
      </div>
    </Dialog>
  )
}

function Report({ id }: { id: string }) {
  const report = useQuery(reportQuery(founderClient, id, 'full'))
  if (report.isPending) return <p className="mod-note">{moderationTexts.opening}</p>
  if (report.isError)
    return (
      <ErrorState
        message={`${texts().failed} ${messageFor(report.error, '')}`}
        busy={report.isFetching}
        onRetry={() => void report.refetch()}
      />
    )
  return <ReportWords report={report.data} />
}
