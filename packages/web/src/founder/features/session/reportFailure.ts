import { isCallError, messageFor } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { sessionTexts as texts } from './texts.ts'

/** Whether the server could not be reached. */
export const isUnreached = (error: unknown): boolean => isCallError(error) && error.status === 0

/** Shows a toast with the reason why signing in failed. */
export function reportFailure(error: unknown): void {
  if (isUnreached(error)) toast({ title: texts.error, description: texts.errorHint, tone: 'destructive' })
  else toast({ title: texts.failed, description: messageFor(error, texts.failedFallback), tone: 'destructive' })
}
