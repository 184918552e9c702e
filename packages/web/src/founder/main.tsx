import '@privity/contract/withoutEval'
import '../core/baseStyles.ts'
import { createRoot } from 'react-dom/client'
import { followThemeColor } from '../core/themeColor.ts'
import { endToastsWithPlace } from '../core/toastsOfPlace.ts'
import { FounderApplication } from './FounderApplication.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('founder.html has no #root.')

// The console is dense and in English, whatever a member has chosen in this browser.
document.documentElement.dataset.density = 'compact'
document.documentElement.lang = 'en'
followThemeColor()
endToastsWithPlace(() => location.pathname)
createRoot(root).render(<FounderApplication />)
