import { useQuery } from '@tanstack/react-query'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { QueryError } from '../../../app/QueryError.tsx'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { founderClient } from '../../console/client.ts'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { FlagTime } from './columns.tsx'
import { reportQuery } from './queries.ts'
import { ReportedText } from './ReportedText.tsx'
import { moderationTexts } from './texts.ts'

const texts = moderationTexts.full
const nameOf = (person: FlaggedMessage['sender']) => `${fullName(person)} @${person.username}`

/** All facts about a flagged message; its text only if a report proves it. */
export function FullMessage({ flag, onClose }: { flag: FlaggedMessage; onClose: () => void }) {
  const { sender, reporter, flagReason, flaggedAt, sentAt, expiresAt } = flag
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      size="lg"
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <div className="mod-full">
        <dl className="dl">
          <Fact label={texts.sender}>{nameOf(sender)}</Fact>
          <Fact label={texts.reason}>{flagReason}</Fact>
          {reporter && <Fact label={texts.reporter}>{nameOf(reporter)}</Fact>}
          <Fact label={texts.sentAt}>
            <FlagTime at={sentAt} />
          </Fact>
          <Fact label={texts.time}>
            <FlagTime at={flaggedAt} />
          </Fact>
          <Fact label={texts.expires}>
            <FlagTime at={expiresAt} />
          </Fact>
        </dl>
        <section>
          <h3>{texts.message}</h3>
          {flag.kind === 'report' ? <Report id={flag.id} /> : <p className="mod-note">{texts.encryptedHint}</p>}
        </section>
      </div>
    </Dialog>
  )
}

function Report({ id }: { id: string }) {
  const report = useQuery(reportQuery(founderClient, id, 'full'))
  if (report.isPending) return <p className="mod-note">{moderationTexts.opening}</p>
  if (report.isError) return <QueryError query={report} title={texts.failed} />
  return <ReportedText report={report.data} />
}
