import { useId, useState, type FormEvent } from 'react'
import type { Client } from '@privity/client'
import { usePreferences, useSetPreferences } from '../../app/preferences/preferences.ts'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'
import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../app/callError.ts'
import { putPreferences } from '../../app/preferencesQuery.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { PasswordInput } from '../../ui/field/PasswordInput.tsx'

/** Data downloads, off by default. Enabling requires the password; disabling does not. */
export function DataDownloads({ client, username }: { client: Client; username: string }) {
  const texts = privacyTexts.data
  const { dataDownloads } = usePreferences().preferences
  const setPreferences = useSetPreferences()
  const [asking, setAsking] = useState(false)
  const hintId = useId()

  function change(on: boolean) {
    if (on) setAsking(true)
    else setPreferences({ dataDownloads: false }, { onSuccess: () => toast({ title: privacyTexts.updated }) })
  }

  return (
    <>
      <SettingRow
        label={texts.dataDownloads}
        hint={<span id={hintId}>{texts.dataDownloadsHint}</span>}
        control={
          <Switch
            id="dataDownloads"
            label={texts.dataDownloads}
            checked={dataDownloads}
            describedBy={hintId}
            onChange={change}
          />
        }
      />
      <AllowExports client={client} username={username} open={asking} onOpenChange={setAsking} />
    </>
  )
}

interface AllowExportsProps {
  client: Client
  username: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks for the password and enables data downloads. */
function AllowExports({ client, username, open, onOpenChange }: AllowExportsProps) {
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
