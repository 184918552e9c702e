import { type FormEvent, useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { putPreferences } from '../../app/preferencesQuery.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { PasswordInput } from '../../ui/field/PasswordInput.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'

interface AllowExportsProps {
  client: Client
  username: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for the password and enables data downloads. */
export function AllowExports({ client, username, open, onOpenChange }: AllowExportsProps) {
  const texts = privacyTexts.data
  const formId = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const allow = useMutation({
    mutationFn: (given: string) => client.privacy.allowExports(given),
    onSuccess(state) {
      putPreferences(state)
      toast({ title: privacyTexts.updated })
      close()
    },
    onError: (refusal) => setError(messageFor(refusal, privacyTexts.notLoaded)),
  })

  function close() {
    setPassword('')
    setError(undefined)
    onOpenChange(false)
  }

  function submitted(event: FormEvent) {
    event.preventDefault()
    if (allow.isPending) return
    if (password === '') setError(texts.passwordMissing)
    else allow.mutate(password)
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || allow.isPending || close()}
      title={texts.dialog}
      description={texts.dialogHint}
      footer={
        <>
          <Button onClick={close} disabled={allow.isPending}>
            {texts.cancel}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={allow.isPending}>
            {allow.isPending ? texts.checking : texts.confirm}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submitted}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <Field label={texts.password} error={error}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              data-first=""
              value={password}
              onChange={(event) => {
                setPassword(event.target.value)
                setError(undefined)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
