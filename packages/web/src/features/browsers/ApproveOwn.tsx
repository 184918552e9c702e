import { type FormEvent, useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { RecoveryKeyField } from '../../app/recoveryKey/RecoveryKeyField.tsx'
import { recoveryKeyError } from '../../app/recoveryKey/recoveryKeyEntry.ts'
import { recoveryKeyEntryTexts } from '../../app/recoveryKey/texts.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { ComparedCode } from './ComparedCode.tsx'
import { browsersTexts } from './texts.ts'
import { useComparison } from './useComparison.ts'

const texts = browsersTexts.own

interface ApproveOwnProps {
  client: Client
  onClose: () => void
}

/** Has this browser approved by another one, or by the recovery key. */
export function ApproveOwn({ client, onClose }: ApproveOwnProps) {
  const [usesKey, setUsesKey] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      description={usesKey ? undefined : texts.why}
      footer={!usesKey && <Button onClick={onClose}>{texts.later}</Button>}
    >
      {usesKey ? (
        <RecoveryKeyForm client={client} onClose={onClose} />
      ) : (
        <div className="browser-step">
          <OwnCode client={client} onClose={onClose} />
          <p>
            {texts.other}{' '}
            <Button size="sm" onClick={() => setUsesKey(true)}>
              {texts.useKey}
            </Button>
          </p>
          <p className="muted">{texts.lost}</p>
        </div>
      )}
    </Dialog>
  )
}

function toastApproved() {
  toast({ title: texts.done, description: texts.doneWhy })
}

function OwnCode({ client, onClose }: ApproveOwnProps) {
  const { comparison: _comparison, ...shown } = useComparison(client, 'own', () => client.browsers.requestApproval())
  const isApproved = shown.state.status === 'approved'
  useEffect(() => {
    if (!isApproved) return
    toastApproved()
    onClose()
  }, [isApproved, onClose])
  return <ComparedCode {...shown} question={texts.ask} ended={browsersTexts.ended} />
}

function RecoveryKeyForm({ client, onClose }: ApproveOwnProps) {
  const [recoveryKey, setRecoveryKey] = useState('')
  const [error, setError] = useState<string>()
  const open = useMutation({
    mutationFn: () => client.browsers.openWithRecoveryKey(recoveryKey),
    onSuccess() {
      toastApproved()
      onClose()
    },
    onError: (failure) => setError(recoveryKeyError(failure) ?? messageFor(failure, browsersTexts.fallback)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (open.isPending) return
    setError(recoveryKey.trim() ? undefined : recoveryKeyEntryTexts.missing)
    if (recoveryKey.trim()) open.mutate()
  }

  return (
    <form className="browser-step" onSubmit={submit} noValidate>
      <RecoveryKeyField
        value={recoveryKey}
        error={error}
        onChange={(event) => {
          setRecoveryKey(event.target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" variant="primary" block busy={open.isPending}>
        {open.isPending ? texts.opening : texts.open}
      </Button>
    </form>
  )
}
