import type { ReactNode } from 'react'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { Pager } from './Pager.tsx'
import type { usePages } from './usePages.ts'

/** State of a page's query. */
interface Fetching {
  isError: boolean
  isFetching: boolean
  /** The rows still belong to the previous page. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface PagedTableProps<Row, Key extends string> extends Omit<DataTableProps<Row, Key>, 'stale'> {
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
export function PagedTable<Row, Key extends string = never>(props: PagedTableProps<Row, Key>) {
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
