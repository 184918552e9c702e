import { isCallError, sentenceOf } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { sessionTexts as texts } from './texts.ts'

/** Whether the server has answered at all. */
export const isUnreached = (error: unknown): boolean => isCallError(error) && error.status === 0

/** Says why nobody was signed in. */
export function reportFailure(error: unknown): void {
  if (isUnreached(error)) toast({ title: texts.error, description: texts.errorHint, tone: 'destructive' })
  else toast({ title: texts.failed, description: sentenceOf(error, texts.failedFallback), tone: 'destructive' })
}
