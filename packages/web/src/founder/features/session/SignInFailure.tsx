import { CircleAlert } from 'lucide-react'
import { isCallError, messageFor, toastError } from '../../../app/callError.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { sessionTexts as texts } from './texts.ts'
import '../../../ui/panel/panel.css'

/** Whether the server could not be reached. */
export const isUnreached = (error: unknown): boolean => isCallError(error) && error.status === 0

/** Shows a toast with the reason why signing in failed. */
export function toastSignInFailure(error: unknown): void {
  if (isUnreached(error)) toast({ title: texts.error, description: texts.errorHint, tone: 'destructive' })
  else toastError(error, texts.failed, texts.failedFallback)
}

/** Shows the error beside the input until it is changed: the toast with the same message is gone by then. */
export function SignInFailure({ error }: { error: unknown }) {
  return (
    <div className="alert alert-critical">
      <CircleAlert className="ic" />
      {isUnreached(error) ? (
        <span>{texts.errorHint}</span>
      ) : (
        <span>
          <b>{texts.denied}</b>
          <br />
          {messageFor(error, texts.deniedFallback)}
        </span>
      )}
    </div>
  )
}
