import { UserX } from 'lucide-react'
import type { Absence } from '@privity/client'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { messageTexts as texts } from '../texts.ts'

interface AbsenceProps {
  absence: Absence
  firstName: string
}

/** Returns since when the contact has not been here, as a sentence. */
function useAwaySince({ absence, firstName }: AbsenceProps): string {
  const { formatDate, formatTime } = useDateTime()
  return texts.awaySince(firstName, `${formatDate(absence.since)}, ${formatTime(absence.since)}`)
}

/** Shown above the composer while the contact has no key of this time. */
export function AbsenceNotice(props: AbsenceProps) {
  const { absence, firstName } = props
  return (
    <div className="alert alert-line" role="status">
      <UserX className="ic" />
      <span>
        {useAwaySince(props)} {!absence.canReceive && texts.awayWaits(firstName)}
      </span>
    </div>
  )
}

interface AbsenceQuestionProps extends AbsenceProps {
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}

/** Asks before a message that nothing can be encrypted for yet. */
export function AbsenceQuestion({ onOpenChange, onConfirm, ...props }: AbsenceQuestionProps) {
  return (
    <Confirm
      open
      onOpenChange={onOpenChange}
      title={texts.awayTitle(props.firstName)}
      description={`${useAwaySince(props)} ${texts.awayExplained}`}
      confirmLabel={texts.sendWhenBack}
      tone="primary"
      outsideCancels
      onConfirm={onConfirm}
    />
  )
}
