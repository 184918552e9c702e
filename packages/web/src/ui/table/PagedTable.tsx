import type { ReactNode } from 'react'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { Pager } from './Pager.tsx'
import type { usePages } from './usePages.ts'

/** How the fetching of a page stands. */
interface Fetching {
  isError: boolean
  isFetching: boolean
  /** The rows are still those of the page before. */
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface PagedTableProps<Row, Key extends string> extends Omit<DataTableProps<Row, Key>, 'stale'> {
  fetching: Fetching
  /** Said where the page could not be loaded. */
  problem: string
  /** In the place of a table without rows. */
  none: ReactNode
  pages: ReturnType<typeof usePages>
  /** Where the page ends; absent on the last. */
  next: string | null | undefined
}

/** A table that is fetched page by page, with what stands there while it is not. */
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
