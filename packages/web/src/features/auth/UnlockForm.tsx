import { type FormEvent, useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { messageFor } from '../../app/callError.ts'
import { useDeriving } from '../../workers/password.ts'
import { useSignOut } from '../../app/useSignOut.tsx'
import { Button, LinkButton } from '../../ui/button/Button.tsx'
import { AuthHead } from './AuthShell.tsx'
import { authTexts } from './texts.ts'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'

const texts = authTexts.unlock

interface UnlockFormProps {
  user: User
  client: Client
  onForgot: () => void
}

/** Restores the keys with the password: the session is valid, but this browser no longer has the keys. */
export function UnlockForm({ user, client, onForgot }: UnlockFormProps) {
  const [password, setPassword] = useState('')
  const [missing, setMissing] = useState(false)
  const deriving = useDeriving()
  const { leave, question } = useSignOut(client)
  const unlock = useMutation({ mutationFn: (password: string) => client.account.unlock(password) })

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(!password)
    if (password) unlock.mutate(password)
  }

  const lead = texts.lead(`${user.firstName} ${user.lastName}`)
  // Set after the first render: screen readers announce changes of a status only.
  const [announced, setAnnounced] = useState('')
  useEffect(() => setAnnounced(`${texts.title}. ${lead}`), [lead])

  const refused = unlock.isError ? messageFor(unlock.error, texts.fallback) : undefined
  const busyLabel = deriving ? authTexts.deriving : texts.busy
  return (
    <form className="auth-form" onSubmit={submit} noValidate>
      <AuthHead title={texts.title}>{lead}</AuthHead>
      <p className="sr" role="status">
        {announced}
      </p>
      <input type="text" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordField
        label={authTexts.fields.password}
        error={missing ? authTexts.signIn.passwordMissing : refused}
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" variant="primary" block busy={unlock.isPending}>
        {unlock.isPending ? busyLabel : texts.submit}
      </Button>
      <p>
        <LinkButton onClick={onForgot}>{authTexts.signIn.forgot}</LinkButton>
      </p>
      <p className="swap">
        <LinkButton onClick={() => void leave()}>{texts.logout}</LinkButton>
      </p>
      {question}
    </form>
  )
}
