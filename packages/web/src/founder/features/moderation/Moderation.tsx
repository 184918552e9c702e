import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ScanSearch } from 'lucide-react'
import { type FlaggedMessage, moderation, type ModerationStats } from '@privity/contract/founder/moderation'
import { formatNumber } from '../../../i18n/language.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { AfterDelay } from '../../../ui/feedback/Progress.tsx'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { founderClient } from '../../console/client.ts'
import { ConsoleSection, RailCount, SectionCount } from '../../console/ConsoleSection.tsx'
import { LoadError, loadFailure } from '../../console/LoadError.tsx'
import { cutPage, listPollIntervalMs, listRows, polling, usePage, usePolled } from '../../console/queries.ts'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { flagColumns } from './columns.tsx'
import { FullMessage } from './FullMessage.tsx'
import { scanMutation } from './queries.ts'
import { SelectionBar, useFlagSelection } from './selection.tsx'
import { moderationTexts as texts } from './texts.ts'
import { UnflagMessage, UnflagSeveral } from './Unflag.tsx'
import './moderation.css'

export const moderationId = 'moderation'

type Filter = keyof typeof texts.shown
const filters: readonly Filter[] = ['all', 'report', 'rapid', 'bulk', 'repeated']

const useStats = () => usePolled(moderation.stats, {}, listPollIntervalMs)

/** Section 7 of the console: messages flagged by scans and recipients. */
export function Moderation() {
  const stats = useStats()
  const scan = useMutation(scanMutation(founderClient, useQueryClient()))
  return (
    <ConsoleSection
      id={moderationId}
      title={texts.title}
      beside={<SectionCount count={stats.data?.totalFlagged} tone="warn" />}
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
            <LoadError query={stats} title={texts.statsNotLoaded} />
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
    <dl className="con-figures fold mods">
      {cards.map(([label, count]) => (
        <Fact key={label} label={label}>
          {count === undefined ? '-' : formatNumber(count)}
        </Fact>
      ))}
    </dl>
  )
}

function FlaggedTable() {
  const [filter, setFilter] = useState<Filter>('all')
  const pages = usePages(filter)
  const query = {
    limit: listRows + 1,
    ...(filter !== 'all' && { rule: filter }),
    ...(pages.after !== undefined && { before: pages.after }),
  }
  const list = usePage(moderation.flagged, { query }, polling(listPollIntervalMs))
  const [opened, setOpened] = useState<FlaggedMessage>()
  const [flagToUnflag, setFlagToUnflag] = useState<FlaggedMessage>()
  const [flagsToUnflag, setFlagsToUnflag] = useState<readonly FlaggedMessage[]>()
  const selected = useFlagSelection()
  const { rows, next } = cutPage(list.data, listRows)
  return (
    <>
      <div className="mod-shown">
        <Segmented
          label={texts.show}
          value={filter}
          options={filters.map((value) => ({ value, label: texts.shown[value] }))}
          onChange={setFilter}
        />
      </div>
      {rows && (rows.length > 0 || selected.selection.size > 0) && (
        <SelectionBar {...selected} rows={rows} onUnflag={() => setFlagsToUnflag([...selected.selection.values()])} />
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
          problem={`${texts.notLoaded} ${loadFailure(list.error)}`}
          none={<EmptyState title={filter === 'all' ? texts.none : texts.noneShown} />}
          label={texts.table}
          columns={flagColumns({
            onView: setOpened,
            onUnflag: setFlagToUnflag,
            isSelected: ({ id }) => selected.selection.has(id),
            canSelect: !selected.isFull,
            onSelect: (flag, isSelected) => selected.select([flag], isSelected),
          })}
          rows={rows}
          pages={pages}
          next={next}
        />
      )}
      {opened && <FullMessage flag={opened} onClose={() => setOpened(undefined)} />}
      {flagsToUnflag && (
        <UnflagSeveral flags={flagsToUnflag} onDone={selected.clear} onClose={() => setFlagsToUnflag(undefined)} />
      )}
      {flagToUnflag && <UnflagMessage flag={flagToUnflag} onClose={() => setFlagToUnflag(undefined)} />}
    </>
  )
}

export function FlaggedCount() {
  return <RailCount count={useStats().data?.totalFlagged ?? 0} tone="warn" label={texts.railCount} />
}
