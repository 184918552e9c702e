import { type FormEvent, useState } from 'react'
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Undo2 } from 'lucide-react'
import type { FounderClient } from '@privity/client/founder'
import { type Acknowledgement as Given, type Incident, incidents } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { toastError } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { InputField } from '../../../ui/field/Field.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { refetchPaths } from '../../console/queries.ts'
import { Time } from '../../console/values.tsx'
import { incidentTexts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>

/** Refetches even after a refusal, because another window may have made the change first. */
const refetchIncidents = (queries: QueryClient) =>
  refetchPaths(queries, [incidents.list.path, incidents.dashboard.path])

export const acknowledgeMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ incident, note }: { incident: Pick<Incident, 'id'>; note: string }) =>
      call(incidents.acknowledge, { body: { incident: incident.id, note } }),
    onSuccess: () => toast({ title: incidentTexts.acknowledged, description: incidentTexts.acknowledgedHint }),
    onError: (error) => toastError(error, incidentTexts.acknowledgeFailed, incidentTexts.acknowledgeFailedHint),
    onSettled: () => refetchIncidents(queries),
  })

export const withdrawMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: Pick<Incident, 'id'>) => call(incidents.withdraw, { query: { incident: id } }),
    onSuccess: () => toast({ title: incidentTexts.withdrawn, description: incidentTexts.withdrawnHint }),
    onError: (error) => toastError(error, incidentTexts.withdrawFailed, incidentTexts.withdrawFailedHint),
    onSettled: () => refetchIncidents(queries),
  })

/** Shows an incident's acknowledgement, or the form to acknowledge it. */
export function Acknowledgement({ incident }: { incident: Incident }) {
  const { acknowledgement } = incident
  return (
    <section>
      <h3>{incidentTexts.acknowledgement.title}</h3>
      {acknowledgement ? (
        <Acknowledged incident={incident} acknowledgement={acknowledgement} />
      ) : (
        <AcknowledgeForm incident={incident} />
      )}
    </section>
  )
}

function Acknowledged({ incident, acknowledgement }: { incident: Incident; acknowledgement: Given }) {
  const texts = incidentTexts.acknowledgement
  const withdraw = useMutation(withdrawMutation(founderClient, useQueryClient()))
  const { by, device, at, note } = acknowledgement
  return (
    <div className="inc-ack">
      <p>
        {texts.by(by, device)} <Time at={at} />
      </p>
      {note !== undefined && <blockquote dir="auto">{note}</blockquote>}
      <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate(incident)}>
        {!withdraw.isPending && <Undo2 className="ic" />}
        {texts.withdraw}
      </Button>
    </div>
  )
}

function AcknowledgeForm({ incident }: { incident: Incident }) {
  const texts = incidentTexts.acknowledgement
  const [note, setNote] = useState('')
  const acknowledge = useMutation(acknowledgeMutation(founderClient, useQueryClient()))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!acknowledge.isPending) acknowledge.mutate({ incident, note })
  }

  return (
    <form className="inc-ack" onSubmit={submit}>
      <p className="muted">{texts.hint}</p>
      <InputField
        label={texts.note}
        value={note}
        maxLength={limits.incidentNoteCharacters}
        placeholder={texts.noteHint}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" size="sm" busy={acknowledge.isPending}>
        {!acknowledge.isPending && <Check className="ic" />}
        {texts.acknowledge}
      </Button>
    </form>
  )
}
