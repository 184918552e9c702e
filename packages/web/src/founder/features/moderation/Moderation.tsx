import { useState } from 'react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { type FlaggedMessage, moderation, type ModerationStats } from '@privity/contract/founder/moderation'
import { reasonOf } from '../../console/failureReason.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { AfterDelay } from '../../../ui/feedback/Skeleton.tsx'
import { PagedTable } from '../../../ui/table/PagedTable.tsx'
import { usePages } from '../../../ui/table/usePages.ts'
import { founderClient } from '../../console/client.ts'
import { ConsoleSection } from '../../console/ConsoleSection.tsx'
import { listRows } from '../../console/pageSize.ts'
import { RailCount } from '../../console/RailCount.tsx'
import { callQuery, usePolled } from '../../console/usePolling.ts'
import { flagColumns } from './columns.tsx'
import { FlagPreview } from './FlagPreview.tsx'
import { FullMessage } from './FullMessage.tsx'
import { moderationPoll, scanning } from './queries.ts'
import { moderationTexts as texts } from './texts.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { UnflagMessage } from './UnflagMessage.tsx'
import { UnflagSeveral } from './UnflagSeveral.tsx'
import { useFlagSelection } from './useFlagSelection.ts'
import '../../../ui/badge/badge.css'
import '../../../ui/panel/panel.css'
import './moderation.css'

const preview = (flag: FlaggedMessage) => <FlagPreview flag={flag} />

export const moderationId = 'moderation'

type Shown = keyof typeof texts.shown
const choices: readonly Shown[] = ['all', 'report', 'rapid', 'bulk', 'repeated']

const flagId = ({ id }: FlaggedMessage) => id
const useStats = () => usePolled(moderation.stats, {}, moderationPoll)

/** Section 7 of the console: messages flagged by scans and recipients. */
export function Moderation() {
  const stats = useStats()
  const scan = useMutation(scanning(founderClient, useQueryClient()))
  const total = stats.data?.totalFlagged ?? 0
  return (
    <ConsoleSection
      id={moderationId}
      title={texts.title}
      beside={stats.data && <span className={total > 0 ? 'count count-warn' : 'count'}>{formatNumber(total)}</span>}
      aside={
        <Button size="sm" busy={scan.isPending} onClick={() => scan.mutate()}>
          {!scan.isPending && <ScanSearch className="ic" />}
          {scan.isPending ? texts.scanning : texts.scan}
        </Button>
      }
    >
      <div className="panel panel-flush">
        {stats.isError && (
          <div className="tbl-error">
            <ErrorState
              message={`${texts.statsNotLoaded} ${reasonOf(stats.error)}`}
              busy={stats.isFetching}
              onRetry={() => void stats.refetch()}
            />
          </div>
        )}
        <Cards stats={stats.data} />
        <FlaggedTable />
      </div>
    </ConsoleSection>
  )
}

function Cards({ stats }: { stats: ModerationStats | undefined }) {
  const cards = [
    [texts.cards.total, stats?.totalFlagged],
    [texts.cards.rapid, stats?.rapidSending],
    [texts.cards.bulk, stats?.bulkMessaging],
    [texts.cards.repeated, stats?.repeatedContent],
  ] as const
  return (
    <dl className="mods">
      {cards.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{count === undefined ? '-' : formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

function FlaggedTable() {
  const [shown, setShown] = useState<Shown>('all')
  const pages = usePages(shown)
  // Fetch one flag more than a page, to know whether there is a next page.
  const query = {
    limit: listRows + 1,
    ...(shown !== 'all' && { rule: shown }),
    ...(pages.after !== undefined && { before: pages.after }),
  }
  const list = useQuery({
    ...callQuery(moderation.flagged, { query }),
    placeholderData: keepPreviousData,
    refetchInterval: moderationPoll,
    refetchIntervalInBackground: true,
  })
  const [viewed, setViewed] = useState<FlaggedMessage>()
  const [unflagged, setUnflagged] = useState<FlaggedMessage>()
  const [asked, setAsked] = useState<readonly FlaggedMessage[]>()
  const selected = useFlagSelection()
  const { formatDate, formatTime } = useDateTime()
  const rows = list.data?.slice(0, listRows)
  const next = list.data !== undefined && list.data.length > listRows ? rows?.at(-1)?.id : undefined
  const format = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`
  return (
    <>
      <div className="mod-shown">
        <Segmented
          label={texts.show}
          value={shown}
          options={choices.map((value) => ({ value, label: texts.shown[value] }))}
          onChange={setShown}
        />
      </div>
      {rows && (rows.length > 0 || selected.selection.size > 0) && (
        <SelectionBar {...selected} rows={rows} onUnflag={() => setAsked([...selected.selection.values()])} />
      )}
      {list.isPending ? (
        <AfterDelay>
          <p className="mod-loading" role="status">
            {texts.loading}
          </p>
        </AfterDelay>
      ) : (
        <PagedTable
          fetching={list}
          problem={`${texts.notLoaded} ${reasonOf(list.error)}`}
          none={<EmptyState title={shown === 'all' ? texts.none : texts.noneShown} />}
          label={texts.table}
          columns={flagColumns({
            format,
            preview,
            onView: setViewed,
            onUnflag: setUnflagged,
            isSelected: ({ id }) => selected.selection.has(id),
            canSelect: !selected.isFull,
            onSelect: (flag, isSelected) => selected.select([flag], isSelected),
          })}
          rows={rows}
          keyOf={flagId}
          pages={pages}
          next={next}
        />
      )}
      {viewed && <FullMessage flag={viewed} onClose={() => setViewed(undefined)} />}
      {asked && <UnflagSeveral flags={asked} onDone={selected.clear} onClose={() => setAsked(undefined)} />}
      {unflagged && <UnflagMessage flag={unflagged} onClose={() => setUnflagged(undefined)} />}
    </>
  )
}

export function FlaggedCount() {
  return <RailCount count={useStats().data?.totalFlagged ?? 0} tone="warn" label={texts.railCount} />
}
