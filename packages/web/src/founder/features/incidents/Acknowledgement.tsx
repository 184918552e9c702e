import { type FormEvent, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Undo2 } from 'lucide-react'
import type { Acknowledgement as Given, Incident } from '@privity/contract/founder/incidents'
import { limits } from '@privity/contract/limits'
import { machineTime, useDateTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { founderClient } from '../../console/client.ts'
import { acknowledging, withdrawing } from './changes.ts'
import { incidentTexts } from './texts.ts'

/** Shows an incident's acknowledgement, or the form to acknowledge it. */
export function Acknowledgement({ incident }: { incident: Incident }) {
  const texts = incidentTexts.acknowledgement
  const { acknowledgement } = incident
  return (
    <section>
      <h3>{texts.title}</h3>
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
  const withdraw = useMutation(withdrawing(founderClient, useQueryClient()))
  const { formatDate, formatTime } = useDateTime()
  const { by, device, at, note } = acknowledgement
  return (
    <div className="inc-ack">
      <p>
        {texts.by(by, device)}{' '}
        <time className="num" dateTime={machineTime(at)}>{`${formatDate(at)}, ${formatTime(at)}`}</time>
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
  const acknowledge = useMutation(acknowledging(founderClient, useQueryClient()))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!acknowledge.isPending) acknowledge.mutate({ incident, note })
  }

  return (
    <form className="inc-ack" onSubmit={submit}>
      <p className="muted">{texts.hint}</p>
      <Field label={texts.note}>
        {(control) => (
          <Input
            {...control}
            value={note}
            maxLength={limits.incidentNoteCharacters}
            placeholder={texts.noteHint}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="sm" busy={acknowledge.isPending}>
        {!acknowledge.isPending && <Check className="ic" />}
        {texts.acknowledge}
      </Button>
    </form>
  )
}
