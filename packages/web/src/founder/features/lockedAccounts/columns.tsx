import { LockOpen } from 'lucide-react'
import type { LockedAccount } from '@privity/contract/founder/lockedAccounts'
import { machineTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Remaining } from './Remaining.tsx'
import { lockedTexts } from './texts.ts'

interface LockedColumns {
  /** Formats a date with its time. */
  format: (ms: number) => string
  onUnlock: (account: LockedAccount) => void
}

export function lockedColumns({ format, onUnlock }: LockedColumns): Column<LockedAccount>[] {
  const { columns } = lockedTexts
  return [
    { label: columns.username, placeholder: 110, cell: ({ username }) => username },
    { label: columns.reason, placeholder: 150, cell: () => <span className="muted">{lockedTexts.reason}</span> },
    {
      label: columns.until,
      placeholder: 130,
      cell: ({ lockedUntil }) => (
        <time className="num" dateTime={machineTime(lockedUntil)}>
          {format(lockedUntil)}
        </time>
      ),
    },
    {
      label: columns.remaining,
      placeholder: 60,
      cell: ({ lockedUntil }) => <Remaining lockedUntil={lockedUntil} />,
    },
    {
      label: columns.action,
      right: true,
      placeholder: 80,
      cell: (account) => (
        <Button size="sm" aria-label={lockedTexts.unlockName(account.username)} onClick={() => onUnlock(account)}>
          <LockOpen className="ic ic-sm" />
          {lockedTexts.unlock}
        </Button>
      ),
    },
  ]
}
