import { type ReactNode, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, PreparedRecoveryKey } from '@privity/client'
import type { User } from '@privity/contract/session'
import { isCallError, sentenceOf } from '../../core/callError.ts'
import { useOwnFactor } from '../../core/secondFactor/useOwnFactor.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SettingRow } from '../../ui/SettingRow.tsx'
import { toast } from '../../ui/toastStore.ts'
import { FactorProof } from './FactorProof.tsx'
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

/**
 * A new recovery key: asked for with the password, shown once, and in force when the user has saved it. Where there
 * is a second factor it is asked for then, last: codes live shorter than it takes to save a key.
 */
export function RecoveryKey({ client, user, save }: RecoveryKeyProps) {
  const texts = accountTexts.recovery
  const [open, setOpen] = useState(false)
  const [prepared, setPrepared] = useState<PreparedRecoveryKey>()
  const [isSaved, setSaved] = useState(false)
  const factor = useOwnFactor(client, () => activate.reset())

  function close() {
    setOpen(false)
    setPrepared(undefined)
    setSaved(false)
    factor.entry.clear()
  }

  const activate = useMutation({
    mutationFn: async (key: PreparedRecoveryKey) => key.activate(await factor.collect()),
    onSuccess() {
      close()
      toast({ title: texts.done, description: texts.doneWhy })
    },
    onError(error) {
      if (factor.refuse(error)) return
      // Switched on meanwhile, in another tab: it is asked for now.
      if (isCallError(error) && error.code === 'SECOND_FACTOR_REQUIRED') setSaved(true)
      toast({
        title: accountTexts.error,
        description: sentenceOf(error, accountTexts.fallback),
        tone: 'destructive',
      })
    },
  })

  function proceed(key: PreparedRecoveryKey) {
    if (factor.on) setSaved(true)
    else activate.mutate(key)
  }

  const [title, description] = !prepared
    ? [texts.ask, texts.askWhy]
    : isSaved
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
        onOpenChange={(next) => next || activate.isPending || close()}
        title={title}
        description={description}
      >
        {prepared && isSaved ? (
          <FactorProof factor={factor} busy={activate.isPending} onSubmit={() => activate.mutate(prepared)} />
        ) : prepared ? (
          <div className="acc-form">
            {save({
              recoveryKey: prepared.recoveryKey,
              busy: activate.isPending,
              onContinue: () => proceed(prepared),
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
