import { type FormEvent, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { SecondFactorStep } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { useDeriving } from '../../workers/password.ts'
import { focusInvalidField } from '../../browser/invalidFields.ts'
import { checkNewPassword, useStrength } from '../../app/newPassword/strength.ts'
import { NewPasswordField } from '../../app/newPassword/NewPasswordField.tsx'
import { loadClient } from '../../app/session.ts'
import { Button, LinkButton } from '../../ui/button/Button.tsx'
import { InputField } from '../../ui/field/Field.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { AuthHead } from './AuthShell.tsx'
import { RecoveryKeyField } from '../../app/recoveryKey/RecoveryKeyField.tsx'
import { recoveryKeyError } from '../../app/recoveryKey/recoveryKeyEntry.ts'
import { recoveryKeyEntryTexts } from '../../app/recoveryKey/texts.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SharedComputer, type SharedComputerChoice } from './SharedComputer.tsx'
import { authTexts } from './texts.ts'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'

const texts = authTexts.reset
const { fields } = authTexts

interface Entry {
  username: string
  recoveryKey: string
  password: string
  confirmed: string
}

type EntryErrors = Partial<Record<keyof Entry, string>>

async function check(entry: Entry): Promise<EntryErrors> {
  return {
    username: entry.username.trim() ? undefined : authTexts.signIn.usernameMissing,
    recoveryKey: entry.recoveryKey.trim() ? undefined : recoveryKeyEntryTexts.missing,
    password: await checkNewPassword(entry.password, [entry.username]),
    confirmed: entry.confirmed === entry.password ? undefined : authTexts.errors.confirm,
  }
}

interface ResetPasswordProps {
  username?: string
  back: string
  onBack: () => void
  /** Absent where a session is locked: the new session takes over the choice from that one. */
  sharedComputer?: SharedComputerChoice
}

export function ResetPassword({ username = '', back, onBack, sharedComputer }: ResetPasswordProps) {
  const [entry, setEntry] = useState<Entry>({ username, recoveryKey: '', password: '', confirmed: '' })
  const [errors, setErrors] = useState<EntryErrors>({})
  const strength = useStrength(entry.password, [entry.username])
  /** Set if the account has a second factor, which is required before anything changes. */
  const [step, setStep] = useState<SecondFactorStep>()
  const deriving = useDeriving()
  const form = useRef<HTMLFormElement>(null)

  const reset = useMutation({
    mutationFn: async (values: Entry) => {
      const { account } = await loadClient()
      return account.resetPassword({
        username: values.username,
        recoveryKey: values.recoveryKey,
        newPassword: values.password,
        sharedComputer: sharedComputer?.isShared,
      })
    },
    onSuccess(result) {
      if (result.status === 'secondFactor') setStep(result.step)
      else toast({ title: texts.done, description: authTexts.welcomeBack(result.user.username), stays: true })
    },
    onError(error) {
      setErrors({ recoveryKey: recoveryKeyError(error) })
      focusInvalidField(form.current)
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const found = await check(entry)
    setErrors(found)
    focusInvalidField(form.current)
    if (!Object.values(found).some(Boolean)) reset.mutate(entry)
  }

  const bind = (field: keyof Entry) => ({
    value: entry[field],
    onChange(event: { target: { value: string } }) {
      setEntry({ ...entry, [field]: event.target.value })
      setErrors({ ...errors, [field]: undefined })
    },
  })

  if (step)
    return (
      <SecondFactorForm
        step={step}
        words={{ ...texts, lead: texts.secondFactorLead }}
        onBack={() => setStep(undefined)}
        onExpired={() => setStep(undefined)}
      />
    )

  const isElsewhere = reset.isError && recoveryKeyError(reset.error) === undefined
  const refused = isElsewhere ? messageFor(reset.error, texts.fallback) : undefined
  const busyLabel = deriving ? authTexts.deriving : texts.busy
  return (
    <form
      ref={form}
      className="auth-form"
      onSubmit={(event) => void submit(event)}
      onFocus={() => void loadClient()}
      noValidate
    >
      <AuthHead title={texts.title}>{texts.lead}</AuthHead>
      <InputField
        label={fields.username}
        error={errors.username}
        // Otherwise the browser suggests the username to the next person, as in SignIn.
        autoComplete={sharedComputer?.isShared ? 'off' : 'username'}
        autoCapitalize="none"
        {...bind('username')}
      />
      <RecoveryKeyField error={errors.recoveryKey} {...bind('recoveryKey')} />
      <NewPasswordField label={fields.newPassword} error={errors.password} strength={strength} {...bind('password')} />
      <PasswordField
        label={fields.confirmPassword}
        error={errors.confirmed}
        autoComplete="new-password"
        {...bind('confirmed')}
      />
      {sharedComputer && <SharedComputer {...sharedComputer} />}
      <FormError title={texts.failed} message={refused} />
      <Button type="submit" variant="primary" block busy={reset.isPending}>
        {reset.isPending ? busyLabel : texts.submit}
      </Button>
      <p className="swap">
        <LinkButton onClick={onBack}>{back}</LinkButton>
      </p>
    </form>
  )
}
