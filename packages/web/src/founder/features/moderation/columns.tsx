import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Column } from '../../../ui/table/columns.ts'
import { PersonName, Time } from '../../console/values.tsx'
import { FlagPreview } from './ReportedText.tsx'
import { moderationTexts as texts, type ReasonKind } from './texts.ts'

interface FlagColumns {
  onView: (flag: FlaggedMessage) => void
  onUnflag: (flag: FlaggedMessage) => void
  isSelected: (flag: FlaggedMessage) => boolean
  canSelect: boolean
  onSelect: (flag: FlaggedMessage, isSelected: boolean) => void
}

const reasonPatterns: readonly [RegExp, ReasonKind][] = [
  [/rapid/i, 'rapid'],
  [/bulk/i, 'bulk'],
  [/repeat/i, 'repeated'],
]

/** The rule that a flag's reason names. */
export const reasonKind = (flagReason: string): ReasonKind =>
  reasonPatterns.find(([pattern]) => pattern.test(flagReason))?.[1] ?? 'manual'

const badges: Record<ReasonKind, string> = {
  rapid: 'badge-primary',
  bulk: 'badge-info',
  repeated: 'badge-warning',
  manual: 'badge-outline',
}

function ReasonBadge({ flagReason }: Pick<FlaggedMessage, 'flagReason'>) {
  const kind = reasonKind(flagReason)
  return (
    <span className={classes('badge', badges[kind])} title={flagReason}>
      {texts.kinds[kind]}
    </span>
  )
}

/** A time of a flag, which older flags may lack. */
export const FlagTime = ({ at }: { at: number | undefined }) => (at ? <Time at={at} /> : texts.notAvailable)

export function flagColumns(selection: FlagColumns): Column<FlaggedMessage>[] {
  const { onView, onUnflag } = selection
  const { columns } = texts
  return [
    {
      label: columns.message,
      placeholder: 280,
      className: 'wide',
      cell: (flag) => (
        <span className="mod-pick">
          <SelectFlag flag={flag} {...selection} />
          <FlagPreview flag={flag} />
        </span>
      ),
    },
    {
      label: columns.sender,
      placeholder: 140,
      className: 'mod-sender',
      cell: ({ sender }) => (
        <span>
          <PersonName person={sender} />
        </span>
      ),
    },
    { label: columns.reason, placeholder: 110, cell: (flag) => <ReasonBadge flagReason={flag.flagReason} /> },
    { label: columns.flaggedAt, placeholder: 120, cell: ({ flaggedAt }) => <FlagTime at={flaggedAt} /> },
    {
      label: columns.actions,
      right: true,
      placeholder: 150,
      cell: (flag) => (
        <div className="mod-acts">
          <Button size="sm" aria-label={texts.viewFullOf(flag.sender.username)} onClick={() => onView(flag)}>
            {texts.viewFull}
          </Button>
          <Button size="sm" aria-label={texts.unflagOf(flag.sender.username)} onClick={() => onUnflag(flag)}>
            {texts.unflag}
          </Button>
        </div>
      ),
    },
  ]
}

function SelectFlag({ flag, isSelected, canSelect, onSelect }: FlagColumns & { flag: FlaggedMessage }) {
  const isChecked = isSelected(flag)
  return (
    <Checkbox
      label={<span className="sr">{texts.several.select(flag.sender.username)}</span>}
      checked={isChecked}
      disabled={!isChecked && !canSelect}
      onChange={(event) => onSelect(flag, event.target.checked)}
    />
  )
}
