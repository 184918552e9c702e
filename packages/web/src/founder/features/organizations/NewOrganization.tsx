import { type FormEvent, useState } from 'react'
import { limits } from '@privity/contract/limits'
import { isPlain } from '@privity/contract/values'
import { isVisible } from '@privity/contract/visible'
import { Button } from '../../../ui/button/Button.tsx'
import { InputField } from '../../../ui/field/Field.tsx'
import { organizationListTexts as texts } from './texts.ts'
import '../../../ui/field/formLine.css'

const maxCharacters = limits.organizationNameCharacters

/** Why the text is not a valid single line. */
function problemOf(text: string): string | undefined {
  if (!isPlain(text)) return texts.marks
  return !isVisible(text) || text.trim().length > maxCharacters ? texts.invalid(maxCharacters) : undefined
}

interface NewOrganizationProps {
  busy: boolean
  /** Resolves once the organization is created; the input is kept if it fails. */
  onCreate: (input: { name: string; type: string }) => Promise<unknown>
}

export function NewOrganization({ busy, onCreate }: NewOrganizationProps) {
  const [name, setName] = useState('')
  const [type, setType] = useState('')
  const [isTried, setTried] = useState(false)
  const errorIn = (text: string) => (isTried ? problemOf(text) : undefined)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (busy || problemOf(name) || problemOf(type)) return
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
      <InputField
        label={texts.name}
        error={errorIn(name)}
        value={name}
        maxLength={maxCharacters}
        onChange={(event) => setName(event.target.value)}
      />
      <InputField
        label={texts.type}
        error={errorIn(type)}
        value={type}
        maxLength={maxCharacters}
        placeholder={texts.typeHint}
        onChange={(event) => setType(event.target.value)}
      />
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? texts.creating : texts.create}
      </Button>
    </form>
  )
}
