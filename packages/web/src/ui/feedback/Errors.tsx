import { CircleAlert } from 'lucide-react'
import { uiTexts } from '../texts.ts'
import { Button } from '../button/Button.tsx'
import '../panel/panel.css'

/** Replaces content that failed to load: shows the error and a button to retry. */
export function ErrorState({ message, onRetry, busy }: { message: string; onRetry: () => void; busy?: boolean }) {
  return (
    <div className="alert alert-critical alert-line" role="alert">
      <CircleAlert className="ic" />
      <span className="grow">{message}</span>
      <Button size="sm" busy={busy ?? false} onClick={onRetry}>
        {uiTexts.tryAgain}
      </Button>
    </div>
  )
}

/** Error of a whole form, announced when it appears. `title` names what failed. */
export function FormError({ message, title }: { message: string | undefined; title?: string }) {
  if (message === undefined) return null
  return (
    <div className="alert alert-critical" role="alert">
      <CircleAlert className="ic" />
      <span>
        {title !== undefined && <b>{title}. </b>}
        {message}
      </span>
    </div>
  )
}
