import type { Client } from '@privity/client'
import { useClientEvents } from '../../../app/useClientEvents.ts'
import { ColleagueSearch } from './ColleagueSearch.tsx'
import { refreshDirectory } from './queries.ts'
import { Requests } from './Requests.tsx'

interface DirectoryProps {
  client: Client
  onOpen: (connectionId: string) => void
}

/** Colleagues by name, and the requests to and by the user. */
export function Directory({ client, onOpen }: DirectoryProps) {
  const refresh = () => void refreshDirectory()
  useClientEvents(client, {
    requests_changed: refresh,
    connection_created: refresh,
    connection_removed: refresh,
    resync: refresh,
  })
  return (
    <div className="manage directory">
      <Requests client={client} onOpen={onOpen} />
      <ColleagueSearch client={client} onOpen={onOpen} />
    </div>
  )
}
