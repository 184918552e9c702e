import { type ReactNode, useId, useMemo } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Connection } from '@privity/contract/connections'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ConnectionRow, ConnectionListSkeleton } from './ConnectionRow.tsx'
import { newestFirst } from '../queries.ts'
import { connectionTexts as texts } from '../texts.ts'
import { QueryError } from '../../../app/QueryError.tsx'

interface ConnectionListProps {
  list: UseQueryResult<readonly Connection[]>
  ownId: string
  currentId: string | undefined
  unreadOf: (connectionId: string) => number
  sealOf: (connectionId: string) => ReactNode
  onSelect: (connection: Connection) => void
  hasDraft: (connectionId: string) => boolean
  rowId: (connectionId: string) => string
  /** Shown below the hint while there is no connection. */
  emptyAction?: ReactNode
}

export function ConnectionList(props: ConnectionListProps) {
  const { list, ownId, currentId, unreadOf, sealOf, hasDraft, onSelect, rowId, emptyAction } = props
  const id = useId()
  const sorted = useMemo(() => newestFirst(list.data ?? []), [list.data])
  return (
    <section className="side-list" aria-labelledby={id}>
      <div className="row">
        <h2 className="h-label" id={id}>
          {texts.active}
        </h2>
        {list.data && <span className="count">{list.data.length}</span>}
      </div>
      {list.isPending && <ConnectionListSkeleton />}
      <QueryError query={list} title={texts.notLoaded} />
      {list.data?.length === 0 && (
        <EmptyState title={texts.none} actions={emptyAction}>
          {texts.noneHint}
        </EmptyState>
      )}
      {sorted.length > 0 && (
        <ul className="conns">
          {sorted.map((connection) => (
            <ConnectionRow
              key={connection.id}
              id={rowId(connection.id)}
              connection={connection}
              ownId={ownId}
              current={connection.id === currentId}
              unread={unreadOf(connection.id)}
              seal={sealOf(connection.id)}
              hasDraft={hasDraft(connection.id)}
              onSelect={onSelect}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
