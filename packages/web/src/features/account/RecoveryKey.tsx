import { type ReactNode, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, PreparedRecoveryKey } from '@privity/client'
import type { User } from '@privity/contract/session'
import { sentenceOf } from '../../core/callError.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SettingRow } from '../../ui/SettingRow.tsx'
import { toast } from '../../ui/toastStore.ts'
import { PasswordProof } from './PasswordProof.tsx'
import { accountTexts } from './texts.ts'
import '../../styles/account.css'

interface KeyToSave {
  recoveryKey: string
  busy: boolean
  onContinue: () => void
}

interface RecoveryKeyProps {
  client: Client
  user: User
  /** Shows the key, and goes on once it is saved. */
  save: (key: KeyToSave) => ReactNode
}

/** A new recovery key: asked for with the password, shown once, and in force when the user has saved it. */
export function RecoveryKey({ client, user, save }: RecoveryKeyProps) {
  const texts = accountTexts.recovery
  const [open, setOpen] = useState(false)
  const [prepared, setPrepared] = useState<PreparedRecoveryKey>()

  function close() {
    setOpen(false)
    setPrepared(undefined)
  }

  const activate = useMutation({
    mutationFn: (key: PreparedRecoveryKey) => key.activate(),
    onSuccess() {
      close()
      toast({ title: texts.done, description: texts.doneWhy })
    },
    onError: (error) =>
      toast({
        title: accountTexts.error,
        description: sentenceOf(error, accountTexts.fallback),
        tone: 'destructive',
      }),
  })

  return (
    <>
      <SettingRow
        label={texts.label}
        hint={texts.hint}
        control={<Button onClick={() => setOpen(true)}>{texts.start}</Button>}
      />
      <Dialog
        open={open}
        onOpenChange={(next) => next || activate.isPending || close()}
        title={prepared ? texts.show : texts.ask}
        description={prepared ? texts.showWhy : texts.askWhy}
      >
        {prepared ? (
          <div className="acc-form">
            {save({
              recoveryKey: prepared.recoveryKey,
              busy: activate.isPending,
              onContinue: () => activate.mutate(prepared),
            })}
          </div>
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
