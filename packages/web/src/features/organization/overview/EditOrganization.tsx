import { type FormEvent, useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, CurrentOrganization } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { isCallError, messageFor } from '../../../app/callError.ts'
import { Dialog, DialogButtons } from '../../../ui/dialog/Dialog.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { refreshOrganization } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { InputField } from '../../../ui/field/Field.tsx'

type Details = Pick<CurrentOrganization, 'name' | 'type'>

/** Fields that the server refused. */
function refusedIn(error: unknown): Set<unknown> {
  if (!isCallError(error) || error.code !== 'INVALID_INPUT' || !Array.isArray(error.details)) return new Set()
  return new Set((error.details as { path?: unknown }[]).map(({ path }) => path))
}

interface EditOrganizationProps {
  client: Client
  details: Details
  onClose: () => void
}

/** Edits the organization's name and type. Keeps the input if it is refused. */
export function EditOrganization({ client, details, onClose }: EditOrganizationProps) {
  const texts = organizationTexts.overview
  const formId = useId()
  const [typed, setTyped] = useState({ name: details.name, type: details.type })
  const [isChecked, setChecked] = useState(false)
  const save = useMutation({
    mutationFn: (details: Details) => client.organization.update(details),
    onSuccess({ name, type }) {
      toast({ title: texts.saved, description: texts.savedHint(name, type) })
      onClose()
    },
    onSettled: refreshOrganization,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    const [name, type] = [typed.name.trim(), typed.type.trim()]
    if (name !== '' && type !== '' && !save.isPending) save.mutate({ name, type })
  }

  const refused = refusedIn(save.error)
  function problemOf(name: keyof Details, missing: string): string | undefined {
    if (isChecked && typed[name].trim() === '') return missing
    return refused.has(name) && save.variables?.[name] === typed[name].trim() ? texts.oneLine : undefined
  }

  const field = (name: keyof Details, missing: string) => (
    <InputField
      label={texts[name]}
      error={problemOf(name, missing)}
      autoComplete="off"
      maxLength={limits.organizationNameCharacters}
      value={typed[name]}
      onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
    />
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => open || save.isPending || onClose()}
      title={texts.editTitle}
      description={texts.editHint}
      footer={
        <DialogButtons
          form={formId}
          label={texts.save}
          busyLabel={texts.saving}
          busy={save.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} className="adm-form" onSubmit={submit} noValidate>
        {field('name', texts.nameMissing)}
        {field('type', texts.typeMissing)}
        <FormError
          title={texts.notSaved}
          message={save.isError && refused.size === 0 ? messageFor(save.error, texts.notSavedHint) : undefined}
        />
      </form>
    </Dialog>
  )
}
