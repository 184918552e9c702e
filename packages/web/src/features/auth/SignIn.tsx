import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { useMutation, queryOptions } from '@tanstack/react-query'
import type { SecondFactorStep } from '@privity/client'
import type { config } from '@privity/contract/config'
import type { Result } from '@privity/contract/endpoint'
import { isCallError, messageFor } from '../../app/callError.ts'
import { useDeriving } from '../../workers/password.ts'
import { loadClient } from '../../app/session.ts'
import { Button, LinkButton } from '../../ui/button/Button.tsx'
import { type Field, InputField } from '../../ui/field/Field.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { AuthHead } from './AuthShell.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SharedComputer, type SharedComputerChoice } from './SharedComputer.tsx'
import { authTexts } from './texts.ts'
import { getJson } from '../../app/queryClient.ts'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'

const texts = authTexts.signIn

interface Credentials {
  username: string
  password: string
}

interface SignInProps {
  /** The demo accounts, if the server has them. */
  demo: (Credentials & { other: Credentials }) | undefined
  onSignUp: () => void
  onForgot: () => void
  sharedComputer: SharedComputerChoice
}

const empty: Credentials = { username: '', password: '' }

export function SignIn({ demo, onSignUp, onForgot, sharedComputer }: SignInProps) {
  const [values, setValues] = useState<Credentials>(demo ?? empty)
  const [prefilled, setPrefilled] = useState(demo !== undefined)
  const form = useRef<HTMLFormElement>(null)
  const entered = useRef(false)
  const [checked, setChecked] = useState(false)
  const [step, setStep] = useState<SecondFactorStep>()
  /** Reason why the second step was left. */
  const [expired, setExpired] = useState<string>()
  const deriving = useDeriving()

  useEffect(() => {
    // The demo accounts may arrive late: keep input that was typed or autofilled by then.
    const fields = form.current?.querySelectorAll<HTMLInputElement>('.input') ?? []
    const isLate = entered.current || !areUntouched([...fields])
    if (demo && !isLate) fill(demo)
  }, [demo])

  function fill(credentials: Credentials) {
    setValues(credentials)
    setPrefilled(true)
  }

  function focused({ target }: FocusEvent) {
    if (target instanceof HTMLInputElement) entered.current = true
    void loadClient()
  }

  const signIn = useMutation({
    mutationFn: async (credentials: Credentials) =>
      (await loadClient()).account.signIn({ ...credentials, sharedComputer: sharedComputer.isShared }),
    onMutate: () => setExpired(undefined),
    onSuccess(result) {
      if (result.status === 'secondFactor') setStep(result.step)
      else toast({ title: texts.done, description: authTexts.welcomeBack(result.user.username), stays: true })
    },
    onError(error) {
      // The server does not reveal which of the two was wrong; focus the password.
      if (isCallError(error) && error.status === 401)
        form.current?.querySelector<HTMLElement>('.input-wrap input')?.focus()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (values.username.trim() && values.password) signIn.mutate(values)
  }

  if (step)
    return (
      <SecondFactorForm
        step={step}
        onBack={() => setStep(undefined)}
        onExpired={(sentence) => {
          setStep(undefined)
          setExpired(sentence)
        }}
      />
    )

  const refused = signIn.isError ? messageFor(signIn.error, texts.fallback) : expired
  const busyLabel = deriving ? authTexts.deriving : texts.busy
  return (
    <form ref={form} className="auth-form" onSubmit={submit} onFocus={focused} noValidate>
      <AuthHead title={texts.title}>{prefilled ? texts.demoLead : texts.lead}</AuthHead>
      <InputField
        label={authTexts.fields.username}
        error={checked && !values.username.trim() ? texts.usernameMissing : undefined}
        // Otherwise the browser keeps the username, and suggests it to the next person who signs in there.
        autoComplete={sharedComputer.isShared ? 'off' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        value={values.username}
        onChange={({ target }) => setValues((before) => ({ ...before, username: target.value }))}
      />
      <PasswordField
        label={authTexts.fields.password}
        error={checked && !values.password ? texts.passwordMissing : undefined}
        value={values.password}
        onChange={({ target }) => setValues((before) => ({ ...before, password: target.value }))}
      />
      <SharedComputer {...sharedComputer} />
      <FormError message={refused} title={texts.failed} />
      <Button type="submit" variant="primary" block busy={signIn.isPending}>
        {signIn.isPending ? busyLabel : texts.submit}
      </Button>
      {demo && (
        <p className="hint">
          {texts.demoOther} <LinkButton onClick={() => fill(demo.other)}>{texts.demoSwap}</LinkButton>.
        </p>
      )}
      <p>
        <LinkButton onClick={onForgot}>{texts.forgot}</LinkButton>
      </p>
      <p className="swap">
        {texts.swap} <LinkButton onClick={onSignUp}>{texts.toSignUp}</LinkButton>
      </p>
    </form>
  )
}

/** The server's public configuration; `demo` contains the demo accounts if they exist. */
export const configQuery = queryOptions({
  queryKey: ['/api/config'],
  queryFn: () => getJson<Result<typeof config.get>>('/api/config'),
})

interface Field {
  value: string
  matches(selector: string): boolean
}

/**
 * Whether nobody uses these fields yet: no person has focused one, and no browser or password manager has filled one in
 * (some display autofilled values before a script can read them).
 */
export const areUntouched = (fields: readonly Field[]): boolean =>
  fields.every((field) => field.value === '' && !field.matches(':is(:focus, :autofill)'))
