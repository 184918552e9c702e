import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { sentenceOf } from '../../core/callError.ts'
import { queryClient } from '../../core/queryClient.ts'
import { userQuery } from '../../core/userQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { toast } from '../../ui/toastStore.ts'
import { type Profile, type ProfileErrors, type ProfileField, profileOf } from './profile.ts'
import { accountTexts } from './texts.ts'
import '../../styles/account.css'

/** Of its own, with the contract's schemas: they come after the client, which says how they may be checked. */
const loadRules = () => import('./profileRules.ts')

const inputs = {
  firstName: { autoComplete: 'given-name', autoCapitalize: 'words' },
  lastName: { autoComplete: 'family-name', autoCapitalize: 'words' },
  email: { type: 'email', autoComplete: 'email' },
} as const

/** Read-only until Edit. What is typed stays when the server refuses it. */
export function ProfileForm({ client, user }: { client: Client; user: User }) {
  const texts = accountTexts.profile
  const [typed, setTyped] = useState<Profile>()
  const [errors, setErrors] = useState<ProfileErrors>({})
  const profile = typed ?? profileOf(user)

  const save = useMutation({
    mutationFn: (given: Profile) => client.ownAccount.updateProfile(given),
    onSuccess(saved) {
      queryClient.setQueryData(userQuery.queryKey, saved)
      setTyped(undefined)
      toast({ title: texts.done, description: texts.doneWhy })
    },
    async onError(error, given) {
      const refused = (await loadRules()).refusedProfile(error, given)
      setErrors(refused)
      if (Object.keys(refused).length > 0) return
      const description = sentenceOf(error, accountTexts.fallback)
      toast({ title: accountTexts.error, description, tone: 'destructive' })
    },
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!typed || save.isPending) return
    const found = (await loadRules()).checkProfile(typed)
    setErrors(found)
    if (Object.keys(found).length === 0) save.mutate(typed)
  }

  function cancel() {
    setTyped(undefined)
    setErrors({})
  }

  const field = (name: ProfileField) => (
    <Field label={texts[name]} error={errors[name]}>
      {(control) => (
        <Input
          {...inputs[name]}
          value={profile[name]}
          readOnly={!typed}
          onChange={(event) => {
            setTyped({ ...profile, [name]: event.target.value })
            setErrors({ ...errors, [name]: undefined })
          }}
          {...control}
        />
      )}
    </Field>
  )

  return (
    <form className="acc-form" onSubmit={(event) => void submit(event)} noValidate>
      <div className="acc-two">
        {field('firstName')}
        {field('lastName')}
      </div>
      {field('email')}
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
  )
}
