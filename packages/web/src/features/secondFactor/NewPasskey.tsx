import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, SecondFactorChange } from '@privity/client'
import { limits } from '@privity/contract/limits'
import type { PasskeyCreation } from '@privity/contract/secondFactor'
import { messageFor } from '../../app/callError.ts'
import { createPasskey } from '../../app/secondFactor/browserPasskey.ts'
import { Button } from '../../ui/button/Button.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { secondFactorTexts } from './texts.ts'
import { InputField } from '../../ui/field/Field.tsx'

interface NewPasskeyProps {
  client: Client
  creation: PasskeyCreation
  defaultName: string
  onDone: (change: SecondFactorChange) => void
}

/** Asks for a name and creates the passkey on a click, because browsers require a user gesture. */
export function NewPasskey({ client, creation, defaultName, onDone }: NewPasskeyProps) {
  const texts = secondFactorTexts.addPasskey
  const [name, setName] = useState(defaultName)
  const [isMissing, setMissing] = useState(false)

  const add = useMutation({
    mutationFn: async () =>
      client.secondFactor.addPasskey({ name: name.trim(), credential: await createPasskey(creation) }),
    onSuccess: onDone,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (add.isPending) return
    setMissing(!name.trim())
    if (name.trim()) add.mutate()
  }

  return (
    <form className="factor-form" onSubmit={submit} noValidate>
      <p>{texts.lead}</p>
      <InputField
        label={texts.name}
        error={isMissing ? texts.nameMissing : undefined}
        maxLength={limits.passkeyNameCharacters}
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <FormError message={add.isError ? messageFor(add.error, secondFactorTexts.fallback) : undefined} />
      <Button type="submit" variant="primary" block busy={add.isPending}>
        {add.isPending ? texts.busy : texts.create}
      </Button>
    </form>
  )
}
