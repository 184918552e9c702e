import type { ReactNode } from 'react'
import type { FlaggedMessage } from '@privity/contract/founder/moderation'
import { fullName } from '../../../i18n/fullName.ts'
import { machineTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import type { Column } from '../../../ui/table/column.ts'
import { reasonKind } from './reasonKind.ts'
import { moderationTexts as texts, type ReasonKind } from './texts.ts'

interface FlagColumns {
  /** Formats a date with its time. */
  format: (ms: number) => string
  preview: (flag: FlaggedMessage) => ReactNode
  onView: (flag: FlaggedMessage) => void
  onUnflag: (flag: FlaggedMessage) => void
  isSelected: (flag: FlaggedMessage) => boolean
  canSelect: boolean
  onSelect: (flag: FlaggedMessage, isSelected: boolean) => void
}

const looks: Record<ReasonKind, string> = {
  rapid: 'badge-primary',
  bulk: 'badge-info',
  repeated: 'badge-warning',
  manual: 'badge-outline',
}

export function ReasonBadge({ flagReason }: Pick<FlaggedMessage, 'flagReason'>) {
  const kind = reasonKind(flagReason)
  return (
    <span className={classes('badge', looks[kind])} title={flagReason}>
      {texts.kinds[kind]}
    </span>
  )
}

export function FlagTime({ at, format }: { at: number | undefined; format: (ms: number) => string }) {
  if (!at) return texts.notAvailable
  return (
    <time className="num" dateTime={machineTime(at)}>
      {format(at)}
    </time>
  )
}

export function flagColumns(given: FlagColumns): Column<FlaggedMessage>[] {
  const { format, preview, onView, onUnflag } = given
  const { columns } = texts
  return [
    {
      label: columns.message,
      placeholder: 280,
      className: 'wide',
      cell: (flag) => (
        <span className="mod-pick">
          <SelectFlag flag={flag} {...given} />
          {preview(flag)}
        </span>
      ),
    },
    {
      label: columns.sender,
      placeholder: 140,
      className: 'mod-sender',
      cell: ({ sender }) => (
        <span>
          {fullName(sender)} <span className="subtle">@{sender.username}</span>
        </span>
      ),
    },
    { label: columns.reason, placeholder: 110, cell: (flag) => <ReasonBadge flagReason={flag.flagReason} /> },
    {
      label: columns.flaggedAt,
      placeholder: 120,
      cell: ({ flaggedAt }) => <FlagTime at={flaggedAt} format={format} />,
    },
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
