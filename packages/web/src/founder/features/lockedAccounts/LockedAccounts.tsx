import { useState, useSyncExternalStore } from 'react'
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { LockOpen } from 'lucide-react'
import { type LockedAccount, lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { toastError } from '../../../app/callError.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { AfterDelay } from '../../../ui/feedback/Progress.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConfirmMutation } from '../../console/ConfirmMutation.tsx'
import { ConsoleSection, RailCount, SectionCount } from '../../console/ConsoleSection.tsx'
import { LoadError } from '../../console/LoadError.tsx'
import { listPollIntervalMs, refetchPaths, usePolled } from '../../console/queries.ts'
import { Time } from '../../console/values.tsx'
import { lockedTexts as texts } from './texts.ts'
import '../../console/founderLists.css'

const useLockedAccounts = () => usePolled(lockedAccounts.list, {}, listPollIntervalMs)

/** Also refetches the monitoring statistics, which count locked accounts too. */
export const unlockMutation = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: LockedAccount) => call(lockedAccounts.unlock, { params: { id } }),
    onSuccess: ({ username }) => toast({ title: texts.done, description: texts.doneHint(username) }),
    onError: (error) => toastError(error, texts.failed, texts.failedHint),
    onSettled: () => refetchPaths(queries, [lockedAccounts.list.path, '/api/founder/realtime-stats']),
  })

export function LockedAccounts() {
  const list = useLockedAccounts()
  const [account, setAccount] = useState<LockedAccount>()
  const unlock = useMutation(unlockMutation(founderClient, useQueryClient()))
  const { count = 0, lockedAccounts: rows, unknownNames = 0 } = list.data ?? {}
  const isCut = rows !== undefined && rows.length < count
  return (
    <ConsoleSection
      id="locked-accounts"
      title={texts.title}
      beside={<SectionCount count={list.data?.count} tone="crit" />}
    >
      <div className="panel panel-flush">
        {list.isError && (
          <div className="tbl-error">
            <LoadError query={list} title={texts.notLoaded} />
          </div>
        )}
        {list.isPending && (
          <AfterDelay>
            <p className="fl-loading" role="status">
              {texts.loading}
            </p>
          </AfterDelay>
        )}
        {rows?.length === 0 && <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>}
        {rows && rows.length > 0 && <DataTable label={texts.table} columns={lockedColumns(setAccount)} rows={rows} />}
        {(isCut || unknownNames > 0) && (
          <p className="fl-note">
            {isCut && texts.shown(rows.length, formatNumber(count))} {unknownNames > 0 && texts.unknown(unknownNames)}
          </p>
        )}
      </div>
      {account && (
        <ConfirmMutation
          mutation={unlock}
          subject={account}
          title={texts.confirm.title(account.username)}
          description={texts.confirm.hint}
          confirmLabel={texts.confirm.confirm}
          busyLabel={texts.confirm.busy}
          onClose={() => setAccount(undefined)}
        />
      )}
    </ConsoleSection>
  )
}

export function LockedCount() {
  return <RailCount count={useLockedAccounts().data?.count ?? 0} tone="crit" label={texts.railCount} />
}

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
