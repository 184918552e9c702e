import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { FounderClient } from '@privity/client/founder'
import { type FounderUser, founderUsers } from '@privity/contract/founder/users'
import { sentenceOf } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/fullName.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { userTexts } from './texts.ts'

/** What the founder can do to the account of a user. */
export type Act = 'suspend' | 'unsuspend' | 'remove'

type Named = Pick<FounderUser, 'firstName' | 'lastName' | 'username'>

/** Older names may hold marks that turn the words around them. */
const withoutTurns = (name: string) => name.replaceAll(/\p{Bidi_Control}/gu, '')

/** Somebody without a name is called by his username. */
export const nameOf = (user: Named): string => withoutTurns(fullName(user)).trim() || user.username

/** With the username, which nobody else has: anybody may call himself like another. */
export const wholeNameOf = (user: Named): string => {
  const [name, { username }] = [nameOf(user), user]
  return name === username ? username : `${name} (@${username})`
}

/** All that counts users, or names them. */
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

/** Refused or not, what is shown is asked for again: another window may have been first. */
export const actingOn = ({ call }: Pick<FounderClient, 'call'>, queries: QueryClient, act: Act) =>
  mutationOptions({
    mutationFn: async ({ id }: FounderUser) => void (await call(founderUsers[act], { params: { id } })),
    onSuccess(_answer, user) {
      const { title, hint } = userTexts.done[act]
      toast({ title, description: hint(nameOf(user)) })
    },
    onError(error) {
      const { title, hint } = userTexts.failed[act]
      toast({ title, description: sentenceOf(error, hint), tone: 'destructive' })
    },
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey }) => related.includes(String(queryKey[0])) }),
  })
