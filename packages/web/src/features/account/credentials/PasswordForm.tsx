import { type FormEvent, useId, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, PreparedRecoveryKey } from '@privity/client'
import type { User } from '@privity/contract/session'
import { isCallError, messageFor } from '../../../app/callError.ts'
import { useDeriving } from '../../../workers/password.ts'
import { focusInvalidField } from '../../../browser/invalidFields.ts'
import { aboutSelf, checkNewPassword, useStrength } from '../../../app/newPassword/strength.ts'
import { NewPasswordField } from '../../../app/newPassword/NewPasswordField.tsx'
import { OwnFactorFields, useOwnFactor } from '../../../app/secondFactor/ownFactor.tsx'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { type SaveKey, ActivateKey, useActivation } from './ActivateKey.tsx'
import { accountTexts } from '../texts.ts'
import { isPasswordRefusal } from '../queries.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import '../account.css'

interface Entry {
  current: string
  next: string
  confirmed: string
}

type EntryErrors = Partial<Record<keyof Entry, string | undefined>>

const empty: Entry = { current: '', next: '', confirmed: '' }

interface PasswordFormProps {
  client: Client
  user: User
  /** Renders a new recovery key to save. */
  save: SaveKey
}

/**
 * Keeps the input if it is refused and clears it after the change. An account that may be compromised also gets new
 * keys, once the new recovery key is saved.
 */
export function PasswordForm({ client, user, save }: PasswordFormProps) {
  const texts = accountTexts.password
  const [entry, setEntry] = useState(empty)
  const [errors, setErrors] = useState<EntryErrors>({})
  const [refused, setRefused] = useState<string>()
  const [isCompromised, setCompromised] = useState(false)
  const [prepared, setPrepared] = useState<PreparedRecoveryKey>()
  const strength = useStrength(entry.next, aboutSelf(user))
  const deriving = useDeriving()
  const why = useId()
  const form = useRef<HTMLFormElement>(null)

  const factor = useOwnFactor(client, () => change.reset())

  function finish(description: string) {
    setEntry(empty)
    setCompromised(false)
    setPrepared(undefined)
    factor.entry.clear()
    toast({ title: texts.done, description })
  }

  const change = useMutation({
    async mutationFn({ current, next }: Entry) {
      const passwords = { currentPassword: current, newPassword: next }
      if (isCompromised) setPrepared(await client.ownAccount.prepareNewKeys(passwords))
      else await client.ownAccount.changePassword({ ...passwords, ...(await factor.collect()) })
    },
    onSuccess: () => isCompromised || finish(texts.doneWhy),
    onError(error) {
      const sentence = messageFor(error, accountTexts.fallback)
      if (isPasswordRefusal(error)) setErrors({ current: sentence })
      else if (isCallError(error) && error.code === 'PASSWORD_UNCHANGED') setErrors({ next: sentence })
      else if (!factor.refuse(error)) setRefused(sentence)
      focusInvalidField(form.current)
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (change.isPending || !isFilled) return
    setRefused(undefined)
    if (entry.next !== entry.confirmed) {
      setErrors({ confirmed: texts.mismatch })
      return
    }
    // With new keys, the client explains why the password must differ.
    const isSame = entry.next === entry.current && !isCompromised
    const next = isSame ? texts.same : await checkNewPassword(entry.next, aboutSelf(user))
    setErrors({ next })
    focusInvalidField(form.current)
    const isConfirmed = isCompromised || factor.entry.isReady()
    if (!next && isConfirmed) change.mutate(entry)
  }

  const isFilled = Object.values(entry).every(Boolean)
  const bind = (field: keyof Entry) => ({
    value: entry[field],
    onChange(event: { target: { value: string } }) {
      setEntry({ ...entry, [field]: event.target.value })
      setErrors({ ...errors, [field]: undefined })
    },
  })

  return (
    <>
      <form ref={form} className="acc-form" onSubmit={(event) => void submit(event)} noValidate>
        <input type="text" autoComplete="username" value={user.username} readOnly hidden />
        <PasswordField label={texts.current} error={errors.current} {...bind('current')} />
        <NewPasswordField label={texts.next} error={errors.next} strength={strength} {...bind('next')} />
        <PasswordField
          label={texts.confirm}
          error={errors.confirmed}
          autoComplete="new-password"
          {...bind('confirmed')}
        />
        {user.hasKeys && (
          <div>
            <Checkbox
              label={accountTexts.compromised.label}
              checked={isCompromised}
              disabled={change.isPending}
              aria-describedby={why}
              onChange={({ target }) => setCompromised(target.checked)}
            />
            <p className="hint" id={why}>
              {accountTexts.compromised.why}
            </p>
          </div>
        )}
        {!isCompromised && <OwnFactorFields factor={factor} />}
        <FormError message={refused} />
        <div className="acc-acts">
          <Button type="submit" variant="primary" busy={change.isPending} disabled={!isFilled}>
            {change.isPending ? (deriving ? texts.deriving : texts.busy) : texts.submit}
          </Button>
        </div>
      </form>
      <NewKeys
        client={client}
        prepared={prepared}
        save={save}
        onDone={() => finish(accountTexts.compromised.doneWhy)}
        onCancel={() => setPrepared(undefined)}
      />
    </>
  )
}

interface NewKeysProps {
  client: Client
  /** New keys that wait for activation. */
  prepared: PreparedRecoveryKey | undefined
  save: SaveKey
  onDone: () => void
  /** Called if nothing was changed. */
  onCancel: () => void
}

/** Last step of a password change for a compromised account: replaces password, keys and recovery key together. */
function NewKeys({ client, prepared, save, onDone, onCancel }: NewKeysProps) {
  const texts = accountTexts.compromised
  const activation = useActivation(client, onDone, onCancel)

  function cancel() {
    activation.forget()
    onCancel()
  }

  const [title, description] = activation.isSaved ? [texts.confirm, texts.confirmWhy] : [texts.show, texts.showWhy]
  return (
    <Dialog
      open={prepared !== undefined}
      onOpenChange={(open) => open || activation.isPending || cancel()}
      title={title}
      description={description}
    >
      {prepared && <ActivateKey prepared={prepared} activation={activation} save={save} submit={texts.replace} />}
    </Dialog>
  )
}
