import { Spinner } from '../../ui/button/Spinner.tsx'
import { coreTexts } from '../texts.ts'
import './starting.css'

/** Shown until the session is known and while a page's code loads. */
export function LoadingScreen() {
  return (
    <div className="starting" role="status">
      <Spinner className="ic-lg" />
      <span className="sr">{coreTexts.loading}</span>
    </div>
  )
}
