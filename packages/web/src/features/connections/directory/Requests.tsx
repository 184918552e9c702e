import { Fragment, type ReactNode, useId, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { ConnectionRequest } from '@privity/contract/directory'
import { QueryError } from '../../../app/QueryError.tsx'
import { toastError } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { BlockPerson } from '../management/BlockPerson.tsx'
import { managementTexts } from '../management/texts.ts'
import { addConnection, refreshDirectory, requestsQuery } from './queries.ts'
import { OpenConversation, useConnectionOf } from './OpenConversation.tsx'
import { PersonRow } from './PersonRow.tsx'
import { directoryTexts as texts } from './texts.ts'

interface RequestsProps {
  client: Client
  onOpen: (connectionId: string) => void
}

const without = (list: readonly ConnectionRequest[], left: readonly ConnectionRequest[]) =>
  list.filter(({ id }) => !left.some((each) => each.id === id))

/** The open requests; one that was accepted here stays and leads to the conversation. */
export function Requests({ client, onOpen }: RequestsProps) {
  const requests = useQuery(requestsQuery(client))
  const connectionOf = useConnectionOf(client)
  const [accepting, setAccepting] = useState<readonly ConnectionRequest[]>([])
  const [accepted, setAccepted] = useState<readonly ConnectionRequest[]>([])
  const [blocked, setBlocked] = useState<ConnectionRequest>()
  if (requests.isError) return <QueryError query={requests} title={texts.notLoaded} />
  if (!requests.data) return null
  const { received, sent } = requests.data
  // The server may list it no more before the call is answered.
  const held = [...accepting, ...without(accepted, accepting).filter(({ who }) => connectionOf(who.id))]
  return (
    <>
      <RequestList
        title={texts.received}
        list={[...held, ...without(received, held)].toSorted((one, other) => other.createdAt - one.createdAt)}
        row={(each) => {
          const connection = held.includes(each) ? connectionOf(each.who.id) : undefined
          if (connection) return <Accepted request={each} onOpen={() => onOpen(connection.id)} />
          return (
            <Received
              client={client}
              request={each}
              onAccepting={() => setAccepting((known) => [...known, each])}
              onAccepted={() => setAccepted((known) => [...known, each])}
              onAnswered={() => setAccepting((known) => without(known, [each]))}
              onBlock={() => setBlocked(each)}
            />
          )
        }}
      />
      <RequestList title={texts.sent} list={sent} row={(each) => <Sent client={client} request={each} />} />
      {blocked && (
        <BlockPerson
          person={blocked.who}
          block={() => client.connections.directory.block(blocked.id)}
          refresh={refreshDirectory}
          onClose={() => setBlocked(undefined)}
        />
      )}
    </>
  )
}

interface RequestListProps {
  title: string
  list: readonly ConnectionRequest[]
  row: (request: ConnectionRequest) => ReactNode
}

function RequestList({ title, list, row }: RequestListProps) {
  const id = useId()
  if (list.length === 0) return null
  return (
    <div>
      <h3 id={id}>{title}</h3>
      <ul className="managed" aria-labelledby={id}>
        {list.map((request) => (
          <Fragment key={request.id}>{row(request)}</Fragment>
        ))}
      </ul>
    </div>
  )
}

interface RequestProps {
  client: Client
  request: ConnectionRequest
}

function Accepted({ request: { who }, onOpen }: { request: ConnectionRequest; onOpen: () => void }) {
  return (
    <PersonRow person={who} note={texts.states.connected}>
      <OpenConversation person={who} onOpen={onOpen} />
    </PersonRow>
  )
}

interface ReceivedProps extends RequestProps {
  onAccepting: () => void
  onAccepted: () => void
  onAnswered: () => void
  onBlock: () => void
}

function Received({ client, request, onAccepting, onAccepted, onAnswered, onBlock }: ReceivedProps) {
  const { id, who, createdAt } = request
  const { formatDate } = useDateTime()
  const name = fullName(who)
  const accept = useMutation({
    mutationFn: () => client.connections.directory.accept(id),
    onMutate: onAccepting,
    onSuccess(made) {
      addConnection(made)
      onAccepted()
      toast({ title: texts.accepted(name) })
    },
    onError: (error) => toastError(error, texts.notAccepted, texts.notAskedHint),
    onSettled() {
      onAnswered()
      return refreshDirectory()
    },
  })
  const decline = useMutation({
    mutationFn: () => client.connections.directory.decline(id),
    onSuccess: () => toast({ title: texts.declined, description: texts.declinedHint(who.firstName) }),
    onError: (error) => toastError(error, texts.notDeclined, texts.notAskedHint),
    onSettled: refreshDirectory,
  })
  const isBusy = accept.isPending || decline.isPending
  return (
    <PersonRow person={who} note={texts.askedOn(formatDate(createdAt))}>
      <Button
        variant="ghost"
        size="sm"
        disabled={isBusy}
        aria-label={managementTexts.blockName(name)}
        onClick={onBlock}
      >
        {managementTexts.block}
      </Button>
      <Button
        variant="ghost"
        size="sm"
        busy={decline.isPending}
        disabled={isBusy}
        aria-label={texts.declineName(name)}
        onClick={() => decline.mutate()}
      >
        {texts.decline}
      </Button>
      <Button
        variant="primary"
        size="sm"
        busy={accept.isPending}
        disabled={isBusy}
        aria-label={texts.acceptName(name)}
        onClick={() => accept.mutate()}
      >
        {texts.accept}
      </Button>
    </PersonRow>
  )
}

function Sent({ client, request: { id, who, createdAt } }: RequestProps) {
  const { formatDate } = useDateTime()
  const withdraw = useMutation({
    mutationFn: () => client.connections.directory.withdraw(id),
    onSuccess: () => toast({ title: texts.withdrawn, description: texts.withdrawnHint(who.firstName) }),
    onError: (error) => toastError(error, texts.notWithdrawn, texts.notAskedHint),
    onSettled: refreshDirectory,
  })
  return (
    <PersonRow person={who} note={texts.askedOn(formatDate(createdAt))}>
      <Button
        variant="ghost"
        size="sm"
        busy={withdraw.isPending}
        aria-label={texts.withdrawName(fullName(who))}
        onClick={() => withdraw.mutate()}
      >
        {texts.withdraw}
      </Button>
    </PersonRow>
  )
}
