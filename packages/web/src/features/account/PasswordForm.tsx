import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { sentenceOf } from '../../core/callError.ts'
import { useDeriving } from '../../core/derivation.ts'
import { aboutSelf, checkNewPassword } from '../../core/newPassword/checkNewPassword.ts'
import { NewPasswordField } from '../../core/newPassword/NewPasswordField.tsx'
import { useStrength } from '../../core/newPassword/useStrength.ts'
import { OwnFactorFields } from '../../core/secondFactor/OwnFactorFields.tsx'
import { useOwnFactor } from '../../core/secondFactor/useOwnFactor.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { toast } from '../../ui/toastStore.ts'
import { isPasswordRefusal } from './refusals.ts'
import { accountTexts } from './texts.ts'
import '../../styles/account.css'

interface Entry {
  current: string
  next: string
  confirmed: string
}

type EntryErrors = Partial<Record<keyof Entry, string | undefined>>

const empty: Entry = { current: '', next: '', confirmed: '' }

/** What is typed stays when it is refused; it goes when the password has been changed. */
export function PasswordForm({ client, user }: { client: Client; user: User }) {
  const texts = accountTexts.password
  const [entry, setEntry] = useState(empty)
  const [errors, setErrors] = useState<EntryErrors>({})
  const strength = useStrength(entry.next, aboutSelf(user))
  const deriving = useDeriving()

  const factor = useOwnFactor(client, () => change.reset())

  const change = useMutation({
    mutationFn: async ({ current, next }: Entry) =>
      client.ownAccount.changePassword({
        currentPassword: current,
        newPassword: next,
        ...(await factor.collect()),
      }),
    onSuccess() {
      setEntry(empty)
      factor.entry.clear()
      toast({ title: texts.done, description: texts.doneWhy })
    },
    onError(error) {
      const sentence = sentenceOf(error, accountTexts.fallback)
      if (isPasswordRefusal(error)) setErrors({ current: sentence })
      else if (!factor.refuse(error)) toast({ title: accountTexts.error, description: sentence, tone: 'destructive' })
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (change.isPending || !isFilled) return
    if (entry.next !== entry.confirmed) {
      setErrors({ confirmed: texts.mismatch })
      toast({ title: accountTexts.error, description: texts.mismatch, tone: 'destructive' })
      return
    }
    const next = entry.next === entry.current ? texts.same : await checkNewPassword(entry.next, aboutSelf(user))
    setErrors({ next })
    const isConfirmed = factor.entry.isReady()
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
    <form className="acc-form" onSubmit={(event) => void submit(event)} noValidate>
      <input type="text" autoComplete="username" value={user.username} readOnly hidden />
      <Field label={texts.current} error={errors.current}>
        {(control) => <PasswordInput autoComplete="current-password" {...bind('current')} {...control} />}
      </Field>
      <NewPasswordField label={texts.next} error={errors.next} strength={strength} {...bind('next')} />
      <Field label={texts.confirm} error={errors.confirmed}>
        {(control) => <PasswordInput autoComplete="new-password" {...bind('confirmed')} {...control} />}
      </Field>
      <OwnFactorFields factor={factor} />
      <div className="acc-acts">
        <Button type="submit" variant="primary" busy={change.isPending} disabled={!isFilled}>
          {change.isPending ? (deriving ? texts.deriving : texts.busy) : texts.submit}
        </Button>
      </div>
    </form>
  )
}
