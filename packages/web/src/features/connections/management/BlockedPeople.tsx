import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { BlockedPerson } from '@privity/contract/connections'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { fullName } from '../../../i18n/names.ts'
import { blockedQuery, refreshBlocked } from '../queries.ts'
import { managementTexts } from './texts.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { toastError } from '../../../app/callError.ts'
import './manageConnections.css'

export function BlockedPeople({ client }: { client: Client }) {
  const texts = managementTexts
  const blocked = useQuery(blockedQuery(client))
  if (blocked.isError) return <QueryError query={blocked} title={texts.blockedNotLoaded} />
  if (!blocked.data) return null
  if (blocked.data.length === 0) return <EmptyState title={texts.blockedNone} />
  return (
    <ul className="managed" aria-label={texts.blockedList.title}>
      {blocked.data.map((person) => (
        <BlockedRow key={person.id} client={client} person={person} />
      ))}
    </ul>
  )
}

function BlockedRow({ client, person }: { client: Client; person: BlockedPerson }) {
  const { formatDate } = useDateTime()
  const texts = managementTexts
  const name = fullName(person)
  const unblock = useMutation({
    mutationFn: () => client.connections.unblock(person.id),
    onSuccess: () => toast({ title: texts.unblocked(name), description: texts.unblockedHint }),
    onError: (error) => toastError(error, texts.error, texts.notUnblocked),
    onSettled: refreshBlocked,
  })
  return (
    <li className="managed-row">
      <Avatar firstName={person.firstName} lastName={person.lastName} />
      <div className="grow">
        <b className="trunc" dir="auto">
          {name}
        </b>
        <div className="managed-note">{texts.blockedOn(formatDate(person.blockedAt))}</div>
      </div>
      <Button size="sm" busy={unblock.isPending} aria-label={texts.unblockName(name)} onClick={() => unblock.mutate()}>
        {texts.unblock}
      </Button>
    </li>
  )
}
