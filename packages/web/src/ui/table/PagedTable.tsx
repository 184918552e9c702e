import { type ReactNode, type MouseEvent, useState } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ErrorState } from '../feedback/Errors.tsx'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { Button } from '../button/Button.tsx'
import { tableTexts } from '../texts.ts'
import './table.css'

/** State of a page's query. */
interface Fetching {
  isError: boolean
  isFetching: boolean
  /** The rows still belong to the previous page. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface PagedTableProps<Row extends { id: string }, Key extends string> extends Omit<
  DataTableProps<Row, Key>,
  'stale'
> {
  fetching: Fetching
  /** Shown if the page failed to load. */
  problem: string
  /** Shown instead of an empty table. */
  none: ReactNode
  pages: ReturnType<typeof usePages>
  /** Cursor of the next page; absent on the last page. */
  next: string | null | undefined
}

/** A table with pages, including its error and empty states. */
export function PagedTable<Row extends { id: string }, Key extends string = never>(props: PagedTableProps<Row, Key>) {
  const { fetching, problem, none, pages, next, ...table } = props
  const { isError, isFetching, isPlaceholderData, refetch } = fetching
  const { rows } = table
  return (
    <>
      {isError && (
        <div className="tbl-error">
          <ErrorState message={problem} busy={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {rows?.length === 0 && none}
      {(rows ? rows.length > 0 || !none : !isError) && <DataTable {...table} stale={isPlaceholderData} />}
      <Pager
        page={pages.page}
        busy={isPlaceholderData}
        onPrevious={pages.toPrevious}
        onNext={next ? () => pages.toNext(next) : undefined}
      />
    </>
  )
}

interface PagerProps {
  /** Starts at 1. */
  page: number
  onPrevious: () => void
  /** Absent on the last page. */
  onNext: (() => void) | undefined
  busy?: boolean
}

/**
 * Buttons to the previous and next page, which scroll to the top; hidden for a single page. At either end the button
 * stays focusable, so that it keeps the focus.
 */
function Pager({ page, onPrevious, onNext, busy = false }: PagerProps) {
  if (page === 1 && !onNext) return null
  const isFirst = page === 1

  function go(event: MouseEvent, way: (() => void) | undefined) {
    if (busy || !way) return
    event.currentTarget.closest('.panel')?.scrollIntoView({ block: 'start' })
    way()
  }

  return (
    <nav className="pager" aria-label={tableTexts.pages}>
      <Button
        size="sm"
        aria-disabled={isFirst || undefined}
        onClick={(event) => go(event, isFirst ? undefined : onPrevious)}
      >
        <ChevronLeft className="ic ic-sm" />
        {tableTexts.previous}
      </Button>
      <span role="status">{tableTexts.page(page)}</span>
      <Button size="sm" aria-disabled={!onNext || undefined} onClick={(event) => go(event, onNext)}>
        {tableTexts.next}
        <ChevronRight className="ic ic-sm" />
      </Button>
    </nav>
  )
}

/**
 * Navigation through a list with cursor pagination. Returns to the first page when `list`, which identifies filter and
 * order, changes.
 */
export function usePages(list: string) {
  const [gone, setGone] = useState<{ list: string; ends: readonly string[] }>({ list, ends: [] })
  const ends = gone.list === list ? gone.ends : []
  return {
    /** End cursor of the previous page; undefined on the first page. */
    after: ends.at(-1),
    page: ends.length + 1,
    toPrevious: () => setGone({ list, ends: ends.slice(0, -1) }),
    toNext: (end: string) => setGone({ list, ends: [...ends, end] }),
  }
}
