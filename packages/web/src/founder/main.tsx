import '@privity/contract/withoutEval'
import '../styles/baseStyles.ts'
import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Redirect, Route, Switch } from 'wouter'
import { followThemeColor } from '../app/preferences/themeColor.ts'
import { CrashScreen } from '../app/screens/CrashScreen.tsx'
import { followInvalidFields } from '../browser/invalidFields.ts'
import { endToastsWithPlace } from '../ui/toast/toastStore.ts'
import { Toaster } from '../ui/toast/Toaster.tsx'
import { founderQueryClient } from './console/queryClient.ts'
import { Dashboard } from './pages/Dashboard.tsx'
import { Login } from './pages/Login.tsx'

/** A separate application: it shares components with the members' application, but no session, cookie or data. */
function FounderApplication() {
  return (
    <StrictMode>
      <QueryClientProvider client={founderQueryClient}>
        <CrashScreen>
          <Switch>
            <Route path="/founder" component={Login} />
            <Route path="/founder/dashboard" component={Dashboard} />
            <Route>
              <Redirect to="/founder" replace />
            </Route>
          </Switch>
        </CrashScreen>
        <Toaster />
      </QueryClientProvider>
    </StrictMode>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('founder.html has no #root.')

// The console is always compact and in English, independent of a member's preferences in this browser.
document.documentElement.dataset.density = 'compact'
document.documentElement.lang = 'en'
followThemeColor()
followInvalidFields()
endToastsWithPlace(() => location.pathname)
createRoot(root).render(<FounderApplication />)
