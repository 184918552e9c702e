import { Link2 } from 'lucide-react'
import { useStore } from '../../ui/useStore.ts'
import { isLinkOpened } from '../connectionLink.ts'
import { openedLinkTexts as texts } from './texts.ts'
import '../../ui/panel/panel.css'
import './visitorNotice.css'

/** Shows a visitor who has opened a link to someone's code what to do with it. */
export function OpenedLinkNotice() {
  // The server snapshot is false, so the build renders the landing page without the notice.
  if (!useStore(isLinkOpened, () => false)) return null
  return (
    <div className="alert alert-info alert-line visitor-notice" role="status">
      <Link2 className="ic" />
      <p>{texts.hint}</p>
    </div>
  )
}
