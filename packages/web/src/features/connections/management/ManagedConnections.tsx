import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Input } from '../../../ui/field/Field.tsx'
import { EndConnection, type Ended } from './EndConnection.tsx'
import { ManagedRow } from './ManagedRow.tsx'
import { connectionTexts } from '../texts.ts'
import { managementTexts } from './texts.ts'
import { ConnectionListSkeleton } from '../list/ConnectionRow.tsx'
import { searchConnections } from '../queries.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import './manageConnections.css'

interface ManagedConnectionsProps {
  client: Client
  list: UseQueryResult<readonly Connection[]>
  ownId: string
  sealOf: (connectionId: string) => ReactNode
  onOpen: (connectionId: string) => void
}

/** Number of rows rendered at first; a button shows the rest. Enough to look through, and quick to render. */
const firstShown = 40

export function ManagedConnections({ client, list, ownId, sealOf, onOpen }: ManagedConnectionsProps) {
  const texts = managementTexts
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const [all, setAll] = useState(false)
  const [ended, setEnded] = useState<Ended>()
  const found = useMemo(() => searchConnections(list.data ?? [], ownId, query), [list.data, ownId, query])
  const total = list.data?.length ?? 0
  const shown = all ? found : found.slice(0, firstShown)

  return (
    <div className="manage">
      {list.isPending && <ConnectionListSkeleton />}
      <QueryError query={list} title={connectionTexts.notLoaded} />
      {list.data && total === 0 && <EmptyState title={connectionTexts.none}>{texts.noneHint}</EmptyState>}
      {total > 0 && (
        <div className="input-wrap">
          <Search className="ic" />
          <Input
            type="search"
            aria-label={texts.search}
            placeholder={texts.searchHint}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <p className="sr" role="status">
        {query.trim() !== '' && texts.found(found.length, total)}
      </p>
      {total > 0 && found.length === 0 && (
        <EmptyState title={texts.noMatch(query.trim())}>{texts.noMatchHint}</EmptyState>
      )}
      {shown.length > 0 && (
        <ul className="managed" aria-label={texts.list.title}>
          {shown.map((connection) => (
            <ManagedRow
              key={connection.id}
              connection={connection}
              ownId={ownId}
              sealOf={sealOf}
              onOpen={onOpen}
              onEnd={setEnded}
            />
          ))}
        </ul>
      )}
      {shown.length < found.length && <Button onClick={() => setAll(true)}>{texts.showAll(found.length)}</Button>}
      {ended && <EndConnection client={client} ended={ended} onClose={() => setEnded(undefined)} />}
    </div>
  )
}
