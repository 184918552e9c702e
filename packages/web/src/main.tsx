import '@privity/contract/withoutEval'
import './core/backButton.ts'
import './core/baseStyles.ts'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Application } from './Application.tsx'
import { takeInvitation } from './core/invitation.ts'
import { followInvalidFields } from './core/invalidFields.ts'
import { followLanguage } from './core/followLanguage.ts'
import { startLanguage } from './core/language.ts'
import { isVisitor, startSession } from './core/session.ts'
import { followAppearance } from './core/theme.ts'
import { followThemeColor } from './core/themeColor.ts'
import { endToastsWithPlace } from './core/toastsOfPlace.ts'
import { shownConversation } from './pages/dashboard/shownConversation.ts'
import { loadFirstPage, loadMemberPage } from './pages/load.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

takeInvitation()
// A link that is opened where the page is already open loads nothing by itself.
addEventListener('hashchange', () => void (takeInvitation() && location.reload()))
followAppearance()
followThemeColor()
followInvalidFields()
endToastsWithPlace(() => `${location.pathname} ${shownConversation()}`)
loadFirstPage(location.pathname)
const known = startSession(loadMemberPage)
followLanguage()
void draw(root)

/** Takes over the landing page that the build has rendered, where it is what will be shown; else draws anew. */
async function draw(root: HTMLElement): Promise<void> {
  const { dataset } = document.documentElement
  await startLanguage(() => import('./german.ts'))
  const rendered = root.firstElementChild !== null && dataset.hold === undefined
  if (rendered) {
    await known
    if (isVisitor()) return void hydrateRoot(root, <Application />)
  }
  root.replaceChildren()
  delete dataset.hold
  createRoot(root).render(<Application />)
}
