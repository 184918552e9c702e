import { useState, type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, PreparedRecoveryKey } from '@privity/client'
import type { User } from '@privity/contract/session'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { SettingRow } from '../../../ui/section/Section.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { ActivateKey, type SaveKey, useActivation } from './ActivateKey.tsx'
import { accountTexts } from '../texts.ts'
import { messageFor } from '../../../app/callError.ts'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import '../account.css'

interface RecoveryKeyProps {
  client: Client
  user: User
  save: SaveKey
}

/**
 * Replaces the recovery key: asks for the password, shows the new key once and activates it when the user has saved it.
 * The second factor is asked for last, because its codes expire sooner than it takes to save a key.
 */
export function RecoveryKey({ client, user, save }: RecoveryKeyProps) {
  const texts = accountTexts.recovery
  const [open, setOpen] = useState(false)
  const [prepared, setPrepared] = useState<PreparedRecoveryKey>()

  const activation = useActivation(
    client,
    () => {
      close()
      toast({ title: texts.done, description: texts.doneWhy })
    },
    () => setPrepared(undefined),
  )

  function close() {
    setOpen(false)
    setPrepared(undefined)
    activation.forget()
  }

  const [title, description] = !prepared
    ? [texts.ask, texts.askWhy]
    : activation.isSaved
      ? [texts.confirm, texts.confirmWhy]
      : [texts.show, texts.showWhy]

  return (
    <>
      <SettingRow
        label={texts.label}
        hint={texts.hint}
        control={<Button onClick={() => setOpen(true)}>{texts.start}</Button>}
      />
      <Dialog
        open={open}
        onOpenChange={(next) => next || activation.isPending || close()}
        title={title}
        description={description}
      >
        {prepared ? (
          <ActivateKey prepared={prepared} activation={activation} save={save} submit={texts.replace} />
        ) : (
          <PasswordProof
            username={user.username}
            submit={texts.proceed}
            busy={texts.busy}
            prove={async (password) => setPrepared(await client.ownAccount.prepareRecoveryKey(password))}
          />
        )}
      </Dialog>
    </>
  )
}

interface PasswordProofProps {
  username: string
  submit: string
  busy: string
  prove: (password: string) => Promise<void>
}

/** Asks for the password before an action that a session alone does not authorize. */
function PasswordProof({ username, submit, busy, prove }: PasswordProofProps) {
  const [password, setPassword] = useState('')
  const proof = useMutation({ mutationFn: prove })

  function send(event: FormEvent) {
    event.preventDefault()
    if (password && !proof.isPending) proof.mutate(password)
  }

  return (
    <form className="acc-form" onSubmit={send} noValidate>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={accountTexts.recovery.password}
        error={proof.isError ? messageFor(proof.error, accountTexts.fallback) : undefined}
        data-first=""
        value={password}
        onChange={(event) => {
          setPassword(event.target.value)
          proof.reset()
        }}
      />
      <Button type="submit" variant="primary" block disabled={!password} busy={proof.isPending}>
        {proof.isPending ? busy : submit}
      </Button>
    </form>
  )
}
