import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { FormerContact } from '@privity/contract/connections'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { formerQuery, refreshBlocked, refreshFormer } from '../queries.ts'
import { connectionTexts } from '../texts.ts'
import './manageConnections.css'

/** Contacts whose connection ended recently, so that the user can still block a contact after removing them. */
export function FormerContacts({ client }: { client: Client }) {
  const texts = connectionTexts.manage
  const former = useQuery(formerQuery(client))
  const [asked, setAsked] = useState<FormerContact>()
  if (former.isError)
    return (
      <ErrorState
        message={`${texts.formerNotLoaded} ${messageFor(former.error, '')}`}
        busy={former.isFetching}
        onRetry={() => void former.refetch()}
      />
    )
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
      {asked && <BlockFormer client={client} person={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function fail(description: string): void {
  toast({ title: connectionTexts.manage.error, description, tone: 'destructive' })
}

interface FormerRowProps {
  client: Client
  person: FormerContact
  onBlock: () => void
}

function FormerRow({ client, person, onBlock }: FormerRowProps) {
  const { formatDate, formatTime } = useDateTime()
  const texts = connectionTexts.manage
  const name = fullName(person)
  const forget = useMutation({
    mutationFn: () => client.connections.forgetFormer(person.id),
    onError: (error) => fail(messageFor(error, texts.notForgotten)),
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
          aria-label={texts.forgetName(name)}
          onClick={() => forget.mutate()}
        >
          {texts.forget}
        </Button>
        <Button size="sm" aria-label={texts.blockName(name)} onClick={onBlock}>
          {texts.block}
        </Button>
      </div>
    </li>
  )
}

function BlockFormer({ client, person, onClose }: { client: Client; person: FormerContact; onClose: () => void }) {
  const texts = connectionTexts.manage
  const name = fullName(person)
  const block = useMutation({
    mutationFn: () => client.connections.blockFormer(person.id),
    onSuccess: () => toast({ title: texts.blocked(name), description: texts.blockedFormerHint }),
    onError: (error) => fail(messageFor(error, texts.notBlocked)),
    onSettled() {
      void refreshFormer()
      void refreshBlocked()
      onClose()
    },
  })
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.blockTitle(name)}
      description={texts.blockFormerHint(person.firstName)}
      confirmLabel={texts.blockConfirm}
      busyLabel={texts.blocking}
      busy={block.isPending}
      onConfirm={() => block.mutate()}
    />
  )
}
