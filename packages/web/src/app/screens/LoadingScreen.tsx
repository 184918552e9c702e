import { Spinner } from '../../ui/button/Spinner.tsx'
import { coreTexts } from '../texts.ts'
import './starting.css'

/** Until it is known who is signed in, and while a page's code is on its way. */
export function Starting() {
  return (
    <div className="starting" role="status">
      <Spinner className="ic-lg" />
      <span className="sr">{coreTexts.loading}</span>
    </div>
  )
}
