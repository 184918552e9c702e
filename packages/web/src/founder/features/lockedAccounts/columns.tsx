import { useSyncExternalStore } from 'react'
import { LockOpen } from 'lucide-react'
import type { LockedAccount } from '@privity/contract/founder/lockedAccounts'
import { Button } from '../../../ui/button/Button.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Time } from '../../console/values.tsx'
import { lockedTexts as texts } from './texts.ts'

export function lockedColumns(onUnlock: (account: LockedAccount) => void): Column<LockedAccount>[] {
  const { columns } = texts
  return [
    { label: columns.username, placeholder: 110, cell: ({ username }) => username },
    { label: columns.reason, placeholder: 150, cell: () => <span className="muted">{texts.reason}</span> },
    { label: columns.until, placeholder: 130, cell: ({ lockedUntil }) => <Time at={lockedUntil} /> },
    { label: columns.remaining, placeholder: 60, cell: ({ lockedUntil }) => <Remaining lockedUntil={lockedUntil} /> },
    {
      label: columns.action,
      right: true,
      placeholder: 80,
      cell: (account) => (
        <Button size="sm" aria-label={texts.unlockName(account.username)} onClick={() => onUnlock(account)}>
          <LockOpen className="ic ic-sm" />
          {texts.unlock}
        </Button>
      ),
    },
  ]
}

const second = 1000

/** Remaining time of a lock at `now`, in minutes and seconds. */
export function remainingText(lockedUntil: number, now: number): string {
  const left = Math.ceil((lockedUntil - now) / second)
  if (left <= 0) return texts.ended
  return texts.remaining(Math.floor(left / 60), String(left % 60).padStart(2, '0'))
}

function subscribeToSeconds(notify: () => void): () => void {
  const timer = setInterval(notify, second)
  return () => clearInterval(timer)
}

const currentSecond = () => Math.floor(Date.now() / second) * second

/** Counts down every second, without announcing each change to screen readers. */
function Remaining({ lockedUntil }: { lockedUntil: number }) {
  const now = useSyncExternalStore(subscribeToSeconds, currentSecond, currentSecond)
  return <span className="mono">{remainingText(lockedUntil, now)}</span>
}
