import { CircleAlert } from 'lucide-react'
import { messageFor } from '../../../app/callError.ts'
import { isUnreached } from './reportFailure.ts'
import { sessionTexts as texts } from './texts.ts'
import '../../../ui/panel/panel.css'

/** Shows the error beside the input until it is changed: the toast with the same message is gone by then. */
export function DeniedAlert({ error }: { error: unknown }) {
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
