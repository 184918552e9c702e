import { type FormEvent, useState } from 'react'
import { limits } from '@privity/contract/limits'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { organizationListTexts as texts } from './texts.ts'
import '../../../styles/formLine.css'

const most = limits.organizationNameCharacters

/** One line that says something. */
const isLine = (text: string) => text.trim().length > 0 && text.trim().length <= most

interface NewOrganizationProps {
  busy: boolean
  /** Resolves once it is made; what was typed is kept where it is not. */
  onCreate: (wanted: { name: string; type: string }) => Promise<unknown>
}

export function NewOrganization({ busy, onCreate }: NewOrganizationProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState('')
  const [isTried, setTried] = useState(false)
  const problemOf = (text: string) => (isTried && !isLine(text) ? texts.invalid(most) : undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (busy || !isLine(name) || !isLine(type)) return
    void onCreate({ name: name.trim(), type: type.trim() }).then(
      () => {
        setName('')
        setType('')
        setTried(false)
      },
      () => {},
    )
  }

  return (
    <form className="form-line" onSubmit={submit} noValidate>
      <Field label={texts.name} error={problemOf(name)}>
        {(control) => (
          <Input {...control} value={name} maxLength={most} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={texts.type} error={problemOf(type)}>
        {(control) => (
          <Input
            {...control}
            value={type}
            maxLength={most}
            placeholder={texts.typeHint}
            onChange={(event) => setType(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? texts.creating : texts.create}
      </Button>
    </form>
  )
}
