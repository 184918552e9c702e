import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client, Confirmation } from '@privity/client'
import type { User } from '@privity/contract/session'
import { messageFor } from '../../app/callError.ts'
import { queryClient } from '../../app/queryClient.ts'
import { ConfirmForm } from '../../app/secondFactor/ConfirmForm.tsx'
import { userQuery } from '../../app/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { FormError } from '../../ui/feedback/Errors.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { accountTexts } from './texts.ts'
import type { Profile, ProfileErrors, ProfileField } from './profileRules.ts'
import { InputField } from '../../ui/field/Field.tsx'
import './account.css'

const profileOf = ({ firstName, lastName, email }: User): Profile => ({ firstName, lastName, email })

/** Loaded on first use, because it brings the contract's schemas along. */
const loadRules = () => import('./profileRules.ts')

const inputs = {
  firstName: { autoComplete: 'given-name', autoCapitalize: 'words' },
  lastName: { autoComplete: 'family-name', autoCapitalize: 'words' },
  email: { type: 'email', autoComplete: 'email' },
} as const

const isSameEmail = (typed: string, email: string) => typed.trim().toLowerCase() === email

/** Read-only until Edit is pressed. Keeps refused input. A changed email address requires the password. */
export function ProfileForm({ client, user }: { client: Client; user: User }) {
  const texts = accountTexts.profile
  const [typed, setTyped] = useState<Profile>()
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [refused, setRefused] = useState<string>()
  const [asking, setAsking] = useState(false)
  const profile = typed ?? profileOf(user)

  const save = useMutation({
    mutationFn: ({ profile, confirmation }: { profile: Profile; confirmation?: Confirmation }) =>
      client.ownAccount.updateProfile(profile, confirmation),
    onSuccess(saved) {
      queryClient.setQueryData(userQuery.queryKey, saved)
      setTyped(undefined)
      setAsking(false)
      toast({ title: texts.done, description: texts.doneWhy })
    },
    async onError(error, { profile, confirmation }) {
      const refused = (await loadRules()).refusedProfile(error, profile)
      setErrors(refused)
      if (Object.keys(refused).length > 0) return setAsking(false)
      // The dialog shows the error.
      if (confirmation) return
      setRefused(messageFor(error, accountTexts.fallback))
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!typed || save.isPending) return
    const found = (await loadRules()).checkProfile(typed)
    setErrors(found)
    setRefused(undefined)
    if (Object.keys(found).length > 0) return
    if (isSameEmail(typed.email, user.email)) save.mutate({ profile: typed })
    else setAsking(true)
  }

  function cancel() {
    setTyped(undefined)
    setErrors({})
    setRefused(undefined)
  }

  const field = (name: ProfileField) => (
    <InputField
      label={texts[name]}
      error={errors[name]}
      {...inputs[name]}
      value={profile[name]}
      readOnly={!typed}
      onChange={(event) => {
        setTyped({ ...profile, [name]: event.target.value })
        setErrors({ ...errors, [name]: undefined })
      }}
    />
  )

  const dialog = typed && asking && (
    <Dialog open onOpenChange={setAsking} title={texts.confirm.title} description={texts.confirm.why}>
      <ConfirmForm
        client={client}
        username={user.username}
        submitLabel={texts.confirm.submit}
        act={(confirmation) => save.mutateAsync({ profile: typed, confirmation })}
      />
    </Dialog>
  )

  return (
    <>
      <form className="acc-form" onSubmit={(event) => void submit(event)} noValidate>
        <div className="field-pair">
          {field('firstName')}
          {field('lastName')}
        </div>
        {field('email')}
        <FormError message={refused} />
        <div className="acc-acts">
          {typed ? (
            <>
              <Button type="submit" variant="primary" busy={save.isPending}>
                {save.isPending ? texts.saving : texts.save}
              </Button>
              <Button disabled={save.isPending} onClick={cancel}>
                {texts.cancel}
              </Button>
            </>
          ) : (
            <Button key="edit" onClick={() => setTyped(profile)}>
              {texts.edit}
            </Button>
          )}
        </div>
      </form>
      {dialog}
    </>
  )
}
