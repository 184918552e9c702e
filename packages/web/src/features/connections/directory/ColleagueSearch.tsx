import { type FormEvent, useRef, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Colleague } from '@privity/contract/directory'
import { limits } from '@privity/contract/limits'
import { QueryError } from '../../../app/QueryError.tsx'
import { toastError } from '../../../app/callError.ts'
import { focusInvalidField } from '../../../browser/invalidFields.ts'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Field, Input } from '../../../ui/field/Field.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { addConnection, refreshDirectory, searchQuery } from './queries.ts'
import { OpenConversation, useConnectionOf } from './OpenConversation.tsx'
import { PersonRow } from './PersonRow.tsx'
import { directoryTexts as texts } from './texts.ts'

interface ColleagueSearchProps {
  client: Client
  onOpen: (connectionId: string) => void
}

/** Searches when asked to, not while typing, so that the server learns no name that is not searched for. */
export function ColleagueSearch({ client, onOpen }: ColleagueSearchProps) {
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState('')
  const [name, setName] = useState('')
  const [isTooShort, setTooShort] = useState(false)
  const search = useQuery(searchQuery(client, name))
  const connectionOf = useConnectionOf(client)
  const { colleagues = [], more = false } = search.data ?? {}

  function submitted(event: FormEvent): void {
    event.preventDefault()
    const wanted = typed.trim()
    setTooShort(wanted.length < limits.directorySearchMin)
    if (wanted.length < limits.directorySearchMin) return focusInvalidField(form.current)
    if (wanted === name) void search.refetch()
    else setName(wanted)
  }

  return (
    <>
      <form ref={form} noValidate onSubmit={submitted}>
        <Field label={texts.name} error={isTooShort ? texts.tooShort : undefined}>
          {(control) => (
            <div className="inline-form">
              <Input
                {...control}
                type="search"
                value={typed}
                maxLength={limits.userSearchCharacters}
                placeholder={texts.nameHint}
                onChange={(event) => {
                  setTyped(event.target.value)
                  setTooShort(false)
                }}
              />
              <Button type="submit" busy={search.isFetching}>
                {search.isFetching ? texts.searching : texts.search}
              </Button>
            </div>
          )}
        </Field>
      </form>
      <p className="sr" role="status">
        {search.data && texts.found(colleagues.length)}
      </p>
      <QueryError query={search} title={texts.notSearched} />
      {search.data && colleagues.length === 0 && <EmptyState title={texts.none(name)}>{texts.noneHint}</EmptyState>}
      {colleagues.length > 0 && (
        <ul className="managed" aria-label={texts.results}>
          {colleagues.map((colleague) => (
            <ColleagueRow
              key={colleague.id}
              client={client}
              colleague={colleague}
              connectionId={connectionOf(colleague.id)?.id}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
      {more && <p className="hint">{texts.more}</p>}
    </>
  )
}

interface ColleagueRowProps extends ColleagueSearchProps {
  colleague: Colleague
  /** Undefined without a connection. */
  connectionId: string | undefined
}

function ColleagueRow({ client, colleague, connectionId, onOpen }: ColleagueRowProps) {
  const { id, firstName, state } = colleague
  const name = fullName(colleague)
  const ask = useMutation({
    mutationFn: () => client.connections.directory.request(id),
    onSuccess(made) {
      if (made) addConnection(made)
      toast(
        made ? { title: texts.accepted(name) } : { title: texts.asked(name), description: texts.askedHint(firstName) },
      )
    },
    onError: (error) => toastError(error, texts.notAsked, texts.notAskedHint),
    onSettled: refreshDirectory,
  })
  const isAsking = state === 'asking'
  return (
    <PersonRow person={colleague} note={texts.states[state]}>
      {(state === 'none' || isAsking) && (
        <Button
          size="sm"
          busy={ask.isPending}
          aria-label={isAsking ? texts.acceptName(name) : texts.askName(name)}
          onClick={() => ask.mutate()}
        >
          {isAsking ? texts.accept : texts.ask}
        </Button>
      )}
      {state === 'connected' && connectionId !== undefined && (
        <OpenConversation person={colleague} onOpen={() => onOpen(connectionId)} />
      )}
    </PersonRow>
  )
}
