import { type FormEvent, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, Info } from 'lucide-react'
import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { Field, InputField } from '../../ui/field/Field.tsx'
import { Section } from '../../ui/section/Section.tsx'
import { SelectField } from '../../ui/choice/Select.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { type FieldErrors, fieldErrorsOf, isComplete, newDraft } from './formState.ts'
import { keepRequest, supportEmailQuery } from './queries.ts'
import { supportTexts } from './texts.ts'
import { Reference } from './OwnRequests.tsx'
import { messageFor } from '../../app/callError.ts'
import '../../ui/panel/panel.css'
import './support.css'

/** Options in the order of the texts. */
const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }))

export function SupportForm({ client }: { client: Client }) {
  const texts = supportTexts.form
  const [draft, setDraft] = useState(newDraft)
  const [errors, setErrors] = useState<FieldErrors>({})
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part })
    setErrors({})
  }
  const { submitted } = supportTexts
  const unread = useQuery(supportEmailQuery(client)).data === null
  const submission = useMutation({
    networkMode: 'always',
    mutationFn: () => client.reports.askSupport(draft),
    onSuccess(made) {
      keepRequest(made)
      setDraft(newDraft())
      toast({ title: submitted.toast, description: unread ? submitted.toastTarget : submitted.toastText })
    },
    onError: (error) => setErrors(fieldErrorsOf(error)),
  })

  const isElsewhere = submission.isError && Object.keys(fieldErrorsOf(submission.error)).length === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete(draft) && !submission.isPending) submission.mutate()
  }

  return (
    <Section title={texts.title} lead={texts.lead}>
      <form className="support-form" onSubmit={submit} noValidate>
        <p className="note" id="support-privacy">
          <Info className="ic" />
          <span>{texts.notEncrypted}</span>
        </p>
        <InputField
          label={texts.subject}
          error={errors.subject}
          required
          autoComplete="off"
          maxLength={limits.supportSubjectCharacters}
          value={draft.subject}
          onChange={(event) => change({ subject: event.target.value })}
        />
        <div className="field-pair">
          <SelectField
            label={texts.category}
            error={errors.category}
            value={draft.category}
            options={optionsOf(supportTexts.categories)}
            onChange={(category) => change({ category })}
          />
          <SelectField
            label={texts.priority}
            error={errors.priority}
            value={draft.priority}
            options={optionsOf(supportTexts.priorities)}
            onChange={(priority) => change({ priority })}
          />
        </div>
        <Field
          label={texts.message}
          error={errors.message}
          hint={texts.count(draft.message.length, limits.supportMessageCharacters)}
        >
          {(control) => (
            <textarea
              {...control}
              className="input support-message"
              required
              rows={6}
              autoComplete="off"
              maxLength={limits.supportMessageCharacters}
              value={draft.message}
              onChange={(event) => change({ message: event.target.value })}
            />
          )}
        </Field>
        <FormError
          title={texts.failed}
          message={isElsewhere ? messageFor(submission.error, texts.failedHint) : undefined}
        />
        <div className="support-acts">
          <Button
            type="submit"
            variant="primary"
            disabled={!isComplete(draft)}
            busy={submission.isPending}
            aria-describedby="support-privacy support-needed"
          >
            {submission.isPending ? texts.submitting : texts.submit}
          </Button>
          <span className="hint" id="support-needed">
            {!isComplete(draft) && texts.needed}
          </span>
        </div>
      </form>
      <div role="status">
        {submission.isSuccess && (
          <div className="alert alert-success support-done">
            <CircleCheck className="ic" />
            <div>
              <b>{submitted.title}</b>
              <p>{unread ? submitted.textTarget : submitted.text}</p>
              <Reference reference={submission.data.reference} />
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}
