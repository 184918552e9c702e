import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../app/callError.ts'
import { loadClient } from '../../app/session.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { SaveRecoveryKey } from './SaveRecoveryKey.tsx'
import { recoveryKeyTexts as texts } from './texts.ts'

interface NewAccountKeyProps {
  username: string
  recoveryKey: string
  onSaved: () => void
}

/** Shows a new account's recovery key. The account stores that it was saved, so it applies in every browser. */
export function NewAccountKey({ username, recoveryKey, onSaved }: NewAccountKeyProps) {
  const confirm = useMutation({
    mutationFn: async () => (await loadClient()).ownAccount.confirmRecoveryKey(),
    onSuccess: onSaved,
    onError: (error) =>
      toast({ title: texts.notConfirmed, description: messageFor(error, texts.notConfirmedWhy), tone: 'destructive' }),
  })
  return (
    <SaveRecoveryKey
      username={username}
      recoveryKey={recoveryKey}
      busy={confirm.isPending}
      onContinue={() => confirm.mutate()}
    />
  )
}
