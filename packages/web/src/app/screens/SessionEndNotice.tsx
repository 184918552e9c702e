import { ShieldAlert, X } from 'lucide-react'
import { sessionEndTexts as texts } from './texts.ts'
import { buttonClass } from '../../ui/button/Button.tsx'
import { useStore } from '../../ui/useStore.ts'
import { uiTexts } from '../../ui/texts.ts'
import { sessionEnd } from '../session.ts'
import '../../ui/panel/panel.css'
import './visitorNotice.css'

/** The message for a reason. A newer server may send a reason that this page does not know. */
export function sessionEndSentence(reason: string): string {
  return new Map(Object.entries(texts.reasons)).get(reason) ?? texts.other
}

/** Shows why this tab's session ended or could not be opened, until it is dismissed. */
export function SessionEndNotice() {
  // The server snapshot is undefined, so the build renders the landing page without the notice.
  const reason = useStore(sessionEnd, () => undefined)
  if (reason === undefined) return null
  return (
    <div className="alert alert-warning alert-line visitor-notice" role="alert">
      <ShieldAlert className="ic" />
      <p>{sessionEndSentence(reason)}</p>
      <button
        type="button"
        className={buttonClass({ variant: 'ghost', icon: true })}
        aria-label={uiTexts.dismiss}
        title={uiTexts.dismiss}
        onClick={() => sessionEnd.set(undefined)}
      >
        <X className="ic" />
      </button>
    </div>
  )
}
