import type { ComponentProps } from 'react'
import { useMutation, skipToken, useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import type { User } from '@privity/contract/session'
import { isCallError, messageFor } from '../../../app/callError.ts'
import { useDeriving } from '../../../workers/password.ts'
import { invitation } from '../../../app/invitation/invitation.ts'
import { aboutSelf, useStrength } from '../../../app/newPassword/strength.ts'
import { NewPasswordField } from '../../../app/newPassword/NewPasswordField.tsx'
import { language } from '../../../i18n/language.ts'
import { holdSession, loadClient, releaseSession } from '../../../app/session.ts'
import { Button, LinkButton } from '../../../ui/button/Button.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { AuthHead } from '../AuthShell.tsx'
import { refusedFields, resolveSignUp } from './signUpResolver.ts'
import type { SignUpValues } from './signUpRules.ts'
import { authTexts } from '../texts.ts'
import { useStore } from '../../../ui/useStore.ts'
import { InputField } from '../../../ui/field/Field.tsx'
import { browserFormats } from '../../../i18n/dateTime.ts'

const texts = authTexts.signUp
const empty: SignUpValues = { firstName: '', lastName: '', email: '', username: '', password: '' }

export interface NewAccount {
  user: User
  recoveryKey: string
}

interface SignUpProps {
  onDone: (account: NewAccount) => void
  onSignIn: () => void
}

export function SignUp({ onDone, onSignIn }: SignUpProps) {
  const form = useForm<SignUpValues>({ defaultValues: empty, resolver: resolveSignUp, reValidateMode: 'onBlur' })
  const { errors, isSubmitting } = form.formState
  const values = useWatch({ control: form.control }) as SignUpValues
  const strength = useStrength(values.password, aboutSelf(values))
  const deriving = useDeriving()
  const invited = useInvitation()

  const signUp = useMutation({
    mutationFn: async (values: SignUpValues) => {
      holdSession()
      const client = await loadClient()
      const account = await client.account.signUp({ ...values, invitation: invited.token, recoveryKeyUnsaved: true })
      invitation.set(undefined)
      // Store the current language and the browser's formats as the new account's preferences.
      const chosen = { language: language.get(), ...browserFormats(language.get()) }
      await client.preferences.update(chosen).catch((error: unknown) => console.error(error))
      return account
    },
    onSuccess: (account) => {
      toast({ title: texts.done, description: authTexts.welcome(account.user.username), stays: true })
      onDone(account)
    },
    onError(error) {
      releaseSession()
      if (isCallError(error) && error.code === 'INVITATION_INVALID') invited.checkAgain()
      const refused = Object.entries(refusedFields(error)) as [keyof SignUpValues, string][]
      for (const [i, [field, message]] of refused.entries()) {
        form.setError(field, { type: 'server', message }, { shouldFocus: i === 0 })
      }
    },
  })

  // Registered here instead of inside Field, because this order decides which invalid field gets the focus.
  const text = (name: keyof SignUpValues, input: ComponentProps<'input'>) => {
    const registered = form.register(name)
    return <InputField label={authTexts.fields[name]} error={errors[name]?.message} {...input} {...registered} />
  }

  if (invited.isInvalid) return <InvalidInvitation onSignIn={onSignIn} />

  const isElsewhere = signUp.isError && Object.keys(refusedFields(signUp.error)).length === 0
  const busy = isSubmitting || signUp.isPending
  const busyLabel = deriving ? authTexts.deriving : texts.busy
  return (
    <form
      className="auth-form"
      onSubmit={form.handleSubmit((values) => signUp.mutate(values))}
      onFocus={() => void loadClient()}
      noValidate
    >
      <AuthHead title={texts.title}>
        {invited.token ? invited.lead : texts.lead}{' '}
        {invited.token && (
          <LinkButton onClick={() => invitation.set(undefined)}>{authTexts.invitation.without}</LinkButton>
        )}
      </AuthHead>
      <div className="field-pair">
        {text('firstName', { autoComplete: 'given-name', autoCapitalize: 'words' })}
        {text('lastName', { autoComplete: 'family-name', autoCapitalize: 'words' })}
      </div>
      {text('email', { type: 'email', autoComplete: 'email' })}
      {text('username', { autoComplete: 'username', autoCapitalize: 'none', spellCheck: false })}
      <NewPasswordField
        label={authTexts.fields.password}
        hint={texts.hint}
        error={errors.password?.message}
        strength={strength}
        {...form.register('password')}
      />
      <FormError title={texts.failed} message={isElsewhere ? messageFor(signUp.error, texts.fallback) : undefined} />
      <Button type="submit" variant="primary" block busy={busy}>
        {busy ? busyLabel : texts.submit}
      </Button>
      <p className="swap">
        {texts.swap} <LinkButton onClick={onSignIn}>{texts.toSignIn}</LinkButton>
      </p>
    </form>
  )
}

/** This tab's invitation and the server's data about it, fetched again by each form that opens. */
function useInvitation() {
  const token = useStore(invitation)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: token === undefined ? skipToken : async () => (await loadClient()).organization.checkInvitation(token),
    staleTime: 0,
  })
  const texts = authTexts.invitation
  const unknown = isPending ? texts.checking : texts.unchecked
  return {
    token,
    isInvalid: token !== undefined && isCallError(error) && error.code === 'INVITATION_INVALID',
    lead: data ? texts.lead(data) : unknown,
    checkAgain: () => void refetch(),
  }
}

/** Replaces the sign-up form if the invitation is invalid, before the user types anything. */
function InvalidInvitation({ onSignIn }: { onSignIn: () => void }) {
  const texts = authTexts.invitation
  return (
    <section className="auth-form">
      <div role="alert">
        <AuthHead title={texts.invalid}>{texts.invalidWhy}</AuthHead>
      </div>
      <Button block onClick={() => invitation.set(undefined)}>
        {texts.without}
      </Button>
      <p className="swap">
        {authTexts.signUp.swap} <LinkButton onClick={onSignIn}>{authTexts.signUp.toSignIn}</LinkButton>
      </p>
    </section>
  )
}
