import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../app/callError.ts'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { trustKey } from './queries.ts'
import { trustTexts as texts } from './texts.ts'

/** One change to what this user holds of a connection's key; then the seal is asked for again. */
export function useTrustAction(connectionId: string, act: () => Promise<unknown>, done: string, after?: () => void) {
  return useMutation({
    mutationFn: act,
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toast({ title: done })
      after?.()
    },
    onError(error) {
      // Perhaps the key has changed: then the screen must show it.
      void queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toast({ title: texts.saveFailed, description: sentenceOf(error, ''), tone: 'destructive' })
    },
  })
}
