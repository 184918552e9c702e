import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { FormerContact } from '@privity/contract/connections'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/names.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { formerQuery, refreshFormer } from '../queries.ts'
import { BlockPerson } from './BlockPerson.tsx'
import { managementTexts } from './texts.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { toastError } from '../../../app/callError.ts'
import './manageConnections.css'

/** Contacts whose connection ended recently, so that the user can still block a contact after removing them. */
export function FormerContacts({ client }: { client: Client }) {
  const texts = managementTexts
  const former = useQuery(formerQuery(client))
  const [asked, setAsked] = useState<FormerContact>()
  if (former.isError) return <QueryError query={former} title={texts.formerNotLoaded} />
  if (!former.data) return null
  return (
    <>
      {former.data.length === 0 && <EmptyState title={texts.formerNone} />}
      {former.data.length > 0 && (
        <ul className="managed" aria-label={texts.formerList.title}>
          {former.data.map((person) => (
            <FormerRow key={person.id} client={client} person={person} onBlock={() => setAsked(person)} />
          ))}
        </ul>
      )}
      {asked && (
        <BlockPerson
          person={asked}
          block={() => client.connections.blockFormer(asked.id)}
          refresh={refreshFormer}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

interface FormerRowProps {
  client: Client
  person: FormerContact
  onBlock: () => void
}

function FormerRow({ client, person, onBlock }: FormerRowProps) {
  const { formatDate, formatTime } = useDateTime()
  const texts = managementTexts
  const name = fullName(person)
  const forget = useMutation({
    mutationFn: () => client.connections.forgetFormer(person.id),
    onError: (error) => toastError(error, texts.error, texts.formerNotRemoved),
    onSettled: refreshFormer,
  })
  return (
    <li className="managed-row">
      <Avatar firstName={person.firstName} lastName={person.lastName} />
      <div className="grow">
        <b className="trunc" dir="auto">
          {name}
        </b>
        <div className="managed-note">{texts.endedOn(formatDate(person.endedAt), formatTime(person.endedAt))}</div>
      </div>
      <div className="managed-acts">
        <Button
          variant="ghost"
          size="sm"
          busy={forget.isPending}
          aria-label={texts.removeFormerName(name)}
          onClick={() => forget.mutate()}
        >
          {texts.removeFormer}
        </Button>
        <Button size="sm" aria-label={texts.blockName(name)} onClick={onBlock}>
          {texts.block}
        </Button>
      </div>
    </li>
  )
}
