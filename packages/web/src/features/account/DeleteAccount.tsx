import { type FormEvent, useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { messageFor } from '../../app/callError.ts'
import { OwnFactorFields, useOwnFactor } from '../../app/secondFactor/ownFactor.tsx'
import { leaveDeleted } from '../../app/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog/Dialog.tsx'
import { SettingRow } from '../../ui/section/Section.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { accountTexts } from './texts.ts'
import { isPasswordRefusal } from './queries.ts'
import { InputField } from '../../ui/field/Field.tsx'
import { PasswordField } from '../../ui/field/PasswordInput.tsx'
import './account.css'
import '../../ui/panel/panel.css'

const empty = { username: '', password: '' }

/** Asks for the username, password and second factor before the account is deleted. */
export function DeleteAccount({ client, user }: { client: Client; user: User }) {
  const texts = accountTexts.remove
  const formId = useId()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(empty)
  const [wrongName, setWrongName] = useState(false)

  const factor = useOwnFactor(client, () => remove.reset())

  const remove = useMutation({
    mutationFn: async (values: typeof empty) => client.ownAccount.remove({ ...values, ...(await factor.collect()) }),
    onSuccess() {
      leaveDeleted()
      toast({ title: texts.done, description: texts.doneWhy, tone: 'info' })
    },
    onError: (error) => void factor.refuse(error),
  })

  function toggle(next: boolean) {
    if (remove.isPending) return
    setOpen(next)
    setTyped(empty)
    setWrongName(false)
    factor.entry.clear()
    remove.reset()
  }

  const username = typed.username.trim().toLowerCase()
  const isFilled = username !== '' && typed.password !== ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isFilled || remove.isPending) return
    setWrongName(username !== user.username)
    const isConfirmed = factor.entry.isReady()
    if (username === user.username && isConfirmed) remove.mutate({ username, password: typed.password })
  }

  const refusal = remove.isError ? messageFor(remove.error, accountTexts.fallback) : undefined
  const ofPassword = isPasswordRefusal(remove.error)
  return (
    <>
      <SettingRow
        label={texts.label}
        hint={texts.hint}
        control={
          <Button variant="danger-quiet" onClick={() => toggle(true)}>
            {texts.start}
          </Button>
        }
      />
      <Dialog
        open={open}
        onOpenChange={toggle}
        title={texts.ask}
        description={texts.askWhy}
        footer={
          <DialogButtons
            form={formId}
            tone="danger"
            label={texts.confirm}
            busyLabel={texts.busy}
            busy={remove.isPending}
            disabled={!isFilled}
            onCancel={() => toggle(false)}
          />
        }
      >
        <form id={formId} className="acc-form" onSubmit={submit} noValidate>
          {refusal && !ofPassword && !factor.entry.error && (
            <div className="alert alert-critical alert-line" role="alert">
              <CircleAlert className="ic" />
              <span className="grow">{refusal}</span>
            </div>
          )}
          <InputField
            label={texts.username(user.username)}
            error={wrongName ? texts.usernameWrong : undefined}
            autoComplete="off"
            data-first=""
            autoCapitalize="none"
            spellCheck={false}
            value={typed.username}
            onChange={(event) => {
              setTyped({ ...typed, username: event.target.value })
              setWrongName(false)
            }}
          />
          <PasswordField
            label={texts.password}
            error={ofPassword ? refusal : undefined}
            value={typed.password}
            onChange={(event) => {
              setTyped({ ...typed, password: event.target.value })
              remove.reset()
            }}
          />
          <OwnFactorFields factor={factor} />
        </form>
      </Dialog>
    </>
  )
}
