import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import { messageFor } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { userTexts } from './texts.ts'

/** The founder's actions on a user's account. */
export type Act = 'suspend' | 'unsuspend' | 'remove'

type Named = Pick<FounderUser, 'firstName' | 'lastName' | 'username'>

/** Older names may contain bidirectional controls, which would reorder the surrounding text. */
const withoutTurns = (name: string) => name.replaceAll(/\p{Bidi_Control}/gu, '')

/** The user's name, or the username if they have none. */
export const nameOf = (user: Named): string => withoutTurns(fullName(user)).trim() || user.username

/** Name with username: names are not unique, and a user may imitate another's. */
export const wholeNameOf = (user: Named): string => {
  const [name, { username }] = [nameOf(user), user]
  return name === username ? username : `${name} (@${username})`
}

/** Lists and figures that contain users. */
const related: readonly string[] = [
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
export const actingOn = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient, act: Act) =>
  mutationOptions({
    mutationFn: async ({ id }: FounderUser) => void (await call(founderUsers[act], { params: { id } })),
    onSuccess(_answer, user) {
      const { title, hint } = userTexts.done[act]
      toast({ title, description: hint(nameOf(user)) })
    },
    onError(error) {
      const { title, hint } = userTexts.failed[act]
      toast({ title, description: messageFor(error, hint), tone: 'destructive' })
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => related.includes(String(queryKey[0])) }),
  })
