import { useState } from 'react'
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import { toastError } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/names.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { refetchPaths } from '../../console/queries.ts'
import { userTexts } from './texts.ts'

/** The founder's changes to a user's account. */
export type UserChange = 'suspend' | 'unsuspend' | 'remove'

type Named = Pick<FounderUser, 'firstName' | 'lastName' | 'username'>

/** Older names may contain bidirectional controls, which would reorder the surrounding text. */
const withoutBidiControls = (name: string) => name.replaceAll(/\p{Bidi_Control}/gu, '')

/** The user's name, or the username if they have none. */
export const nameOf = (user: Named): string => withoutBidiControls(fullName(user)).trim() || user.username

/** Name with username: names are not unique, and a user may imitate another's. */
export function uniqueNameOf(user: Named): string {
  const [name, { username }] = [nameOf(user), user]
  return name === username ? username : `${name} (@${username})`
}

/** Lists and figures that contain users. */
const relatedPaths: readonly string[] = [
  founderUsers.list.path,
  '/api/founder/stats',
  '/api/founder/realtime-stats',
  '/api/founder/locked-accounts',
  '/api/founder/flagged-messages',
  '/api/founder/moderation-stats',
  '/api/founder/organizations',
  '/api/founder/support-requests',
]

/** Refetches even after a refusal, because another window may have made the change first. */
export const userMutation = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient, change: UserChange) =>
  mutationOptions({
    mutationFn: async ({ id }: FounderUser) => void (await call(founderUsers[change], { params: { id } })),
    onSuccess(_result, user) {
      const { title, hint } = userTexts.done[change]
      toast({ title, description: hint(nameOf(user)) })
    },
    onError: (error) => toastError(error, userTexts.failed[change].title, userTexts.failed[change].hint),
    onSettled: () => refetchPaths(queries, relatedPaths),
  })

interface ConfirmUserChangeProps {
  user: FounderUser
  change: UserChange
  /** `isRemoved`: the button that opened the dialog was removed with its row. */
  onClose: (isRemoved: boolean) => void
}

/** Asks for confirmation before changing an account. A click outside cancels only reversible changes. */
export function ConfirmUserChange({ user, change, onClose }: ConfirmUserChangeProps) {
  const texts = userTexts.ask[change]
  const [isDone, setDone] = useState(false)
  const mutation = useMutation(userMutation(founderClient, useQueryClient(), change))
  const isRemoved = isDone && change === 'remove'
  return (
    <Confirm
      open={!isDone}
      onOpenChange={(open) => open || onClose(false)}
      onClosed={(event) => {
        if (!isDone) return
        if (isRemoved) event.preventDefault()
        onClose(isRemoved)
      }}
      outsideCancels={change !== 'remove'}
      tone={change === 'unsuspend' ? 'primary' : 'danger'}
      title={texts.title(uniqueNameOf(user))}
      description={texts.hint(nameOf(user))}
      confirmLabel={texts.confirm}
      busyLabel={userTexts.busy}
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate(user, { onSuccess: () => setDone(true), onError: () => onClose(false) })}
    />
  )
}
