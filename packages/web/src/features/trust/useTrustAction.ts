import { useMutation } from '@tanstack/react-query'
import { messageFor } from '../../app/callError.ts'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { trustKey } from './queries.ts'
import { trustTexts as texts } from './texts.ts'

/** A change to the user's trust in a connection's key; refetches the state afterwards. */
export function useTrustAction(connectionId: string, act: () => Promise<unknown>, done: string, after?: () => void) {
  return useMutation({
    mutationFn: act,
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toast({ title: done })
      after?.()
    },
    onError(error) {
      // The key may have changed: reload the state, so that the screen shows it.
      void queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toast({ title: texts.saveFailed, description: messageFor(error, ''), tone: 'destructive' })
    },
  })
}
