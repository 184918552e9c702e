import { useId, useState, type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { usePreferences, useSetPreferences } from '../../app/preferences/preferences.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'
import { messageFor } from '../../app/callError.ts'
import { putPreferences } from '../../app/preferences/query.ts'
import { Dialog, DialogButtons } from '../../ui/dialog/Dialog.tsx'
import { SwitchRow } from '../../ui/section/Section.tsx'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'

/** Data downloads, off by default. Enabling requires the password; disabling does not. */
export function DataDownloads({ client, username }: { client: Client; username: string }) {
  const texts = privacyTexts.data
  const { dataDownloads } = usePreferences().preferences
  const setPreferences = useSetPreferences()
  const [asking, setAsking] = useState(false)

  function change(on: boolean) {
    if (on) setAsking(true)
    else setPreferences({ dataDownloads: false }, { onSuccess: () => toast({ title: privacyTexts.updated }) })
  }

  return (
    <>
      <SwitchRow
        id="dataDownloads"
        label={texts.dataDownloads}
        hint={texts.dataDownloadsHint}
        checked={dataDownloads}
        onChange={change}
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
    mutationFn: (password: string) => client.privacy.allowExports(password),
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
        <DialogButtons
          form={formId}
          label={texts.confirm}
          busyLabel={texts.checking}
          busy={allow.isPending}
          onCancel={close}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submitted}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={texts.password}
          error={error}
          data-first=""
          value={password}
          onChange={(event) => {
            setPassword(event.target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
