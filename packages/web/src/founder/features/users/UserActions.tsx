import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FounderUser } from '@privity/contract/founder/users'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { founderClient } from '../../console/client.ts'
import { type Act, actingOn, nameOf, wholeNameOf } from './userActions.ts'
import { userTexts } from './texts.ts'

interface ActOnUserProps {
  user: FounderUser
  act: Act
  /** `gone`: the button that opened the dialog was removed with its row. */
  onClose: (gone: boolean) => void
}

/** Asks for confirmation before changing an account. A click outside cancels only reversible actions. */
export function ActOnUser({ user, act, onClose }: ActOnUserProps) {
  const texts = userTexts.ask[act]
  const [isDone, setDone] = useState(false)
  const mutation = useMutation(actingOn(founderClient, useQueryClient(), act))
  const isGone = isDone && act === 'remove'
  return (
    <Confirm
      open={!isDone}
      onOpenChange={(open) => open || onClose(false)}
      onClosed={(event) => {
        if (!isDone) return
        if (isGone) event.preventDefault()
        onClose(isGone)
      }}
      outsideCancels={act !== 'remove'}
      tone={act === 'unsuspend' ? 'primary' : 'danger'}
      title={texts.title(wholeNameOf(user))}
      description={texts.hint(nameOf(user))}
      confirmLabel={texts.confirm}
      busyLabel={userTexts.busy}
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate(user, { onSuccess: () => setDone(true), onError: () => onClose(false) })}
    />
  )
}
