import '@privity/contract/withoutEval'
import '../styles/baseStyles.ts'
import { createRoot } from 'react-dom/client'
import { followThemeColor } from '../app/preferences/themeColor.ts'
import { followInvalidFields } from '../browser/invalidFields.ts'
import { endToastsWithPlace } from '../ui/toast/placeChange.ts'
import { FounderApplication } from './FounderApplication.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('founder.html has no #root.')

// The console is always compact and in English, independent of a member's preferences in this browser.
document.documentElement.dataset.density = 'compact'
document.documentElement.lang = 'en'
followThemeColor()
followInvalidFields()
endToastsWithPlace(() => location.pathname)
createRoot(root).render(<FounderApplication />)
