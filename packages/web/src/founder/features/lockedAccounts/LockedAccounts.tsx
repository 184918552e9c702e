import { useState } from 'react'
import { type LockedAccount, lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { AfterDelay } from '../../../ui/feedback/Skeleton.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { RailCount } from '../../console/RailCount.tsx'
import { usePolled } from '../../console/usePolling.ts'
import { lockedColumns } from './columns.tsx'
import { lockedPoll } from './queries.ts'
import { lockedTexts as texts } from './texts.ts'
import { UnlockAccount } from './UnlockAccount.tsx'
import '../../../ui/badge/badge.css'
import '../../../ui/panel/panel.css'
import '../../console/founderLists.css'

const accountId = ({ id }: LockedAccount) => id

export function LockedAccounts() {
  const list = usePolled(lockedAccounts.list, {}, lockedPoll)
  const { formatDate, formatTime } = useDateTime()
  const [unlocked, setUnlocked] = useState<LockedAccount>()
  const { count = 0, lockedAccounts: rows, unknownNames = 0 } = list.data ?? {}
  const format = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`
  const isCut = rows !== undefined && rows.length < count
  return (
    <ConsoleSection
      id="locked-accounts"
      title={texts.title}
      beside={list.data && <span className={count > 0 ? 'count count-crit' : 'count'}>{formatNumber(count)}</span>}
    >
      <div className="panel panel-flush">
        {list.isError && (
          <div className="tbl-error">
            <ErrorState
              message={`${texts.notLoaded} ${reasonOf(list.error)}`}
              busy={list.isFetching}
              onRetry={() => void list.refetch()}
            />
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
        {rows && rows.length > 0 && (
          <DataTable
            label={texts.table}
            columns={lockedColumns({ format, onUnlock: setUnlocked })}
            rows={rows}
            keyOf={accountId}
          />
        )}
        {(isCut || unknownNames > 0) && (
          <p className="fl-note">
            {isCut && texts.shown(rows.length, formatNumber(count))} {unknownNames > 0 && texts.unknown(unknownNames)}
          </p>
        )}
      </div>
      {unlocked && <UnlockAccount account={unlocked} onClose={() => setUnlocked(undefined)} />}
    </ConsoleSection>
  )
}

export function LockedCount() {
  const { data } = usePolled(lockedAccounts.list, {}, lockedPoll)
  return <RailCount count={data?.count ?? 0} tone="crit" label={texts.railCount} />
}
