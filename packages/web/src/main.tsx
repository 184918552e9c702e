import '@privity/contract/withoutEval'
import './browser/backButton.ts'
import './styles/baseStyles.ts'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Application } from './App.tsx'
import { takeConnectionLink } from './app/connectionLink.ts'
import { takeInvitation } from './app/invitation/invitation.ts'
import { followInvalidFields } from './browser/invalidFields.ts'
import { followLanguage } from './app/preferences/query.ts'
import { startLanguage } from './i18n/language.ts'
import { isVisitor, startSession } from './app/session.ts'
import { followAppearance } from './app/appearance.ts'
import { followThemeColor } from './app/preferences/themeColor.ts'
import { endToastsWithPlace } from './ui/toast/toastStore.ts'
import { shownConversation } from './pages/places/shownConversation.ts'
import { loadFirstPage, loadMemberPage } from './pages/registry.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

const takeLink = () => takeInvitation() || takeConnectionLink()
takeLink()
// A link opened in a page that is already loaded changes only the hash, so reload.
addEventListener('hashchange', () => void (takeLink() && location.reload()))
followAppearance()
followThemeColor()
followInvalidFields()
endToastsWithPlace(() => `${location.pathname} ${shownConversation()}`)
loadFirstPage(location.pathname)
const known = startSession(loadMemberPage)
followLanguage()
void draw(root)

/** Hydrates the prerendered landing page if it will be shown; otherwise renders from scratch. */
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
