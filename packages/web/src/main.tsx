import '@privity/contract/withoutEval'
import './browser/backButton.ts'
import './styles/baseStyles.ts'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Application } from './Application.tsx'
import { takeInvitation } from './app/invitation/invitation.ts'
import { followInvalidFields } from './browser/invalidFields.ts'
import { followLanguage } from './app/preferences/accountLanguage.ts'
import { startLanguage } from './i18n/language.ts'
import { isVisitor, startSession } from './app/session.ts'
import { followAppearance } from './app/appearance.ts'
import { followThemeColor } from './app/preferences/themeColor.ts'
import { endToastsWithPlace } from './ui/toast/placeChange.ts'
import { shownConversation } from './pages/places/shownConversation.ts'
import { loadFirstPage, loadMemberPage } from './pages/registry.ts'

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
  await startLanguage(() => import('./i18n/translations.ts'))
  const rendered = root.firstElementChild !== null && dataset.hold === undefined
  if (rendered) {
    await known
    if (isVisitor()) return void hydrateRoot(root, <Application />)
  }
  root.replaceChildren()
  delete dataset.hold
  createRoot(root).render(<Application />)
}
