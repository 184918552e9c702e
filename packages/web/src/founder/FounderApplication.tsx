import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Redirect, Route, Switch } from 'wouter'
import { CrashScreen } from '../app/screens/CrashScreen.tsx'
import { Toaster } from '../ui/toast/Toaster.tsx'
import { founderQueryClient } from './console/queryClient.ts'
import { Dashboard } from './pages/Dashboard.tsx'
import { Login } from './pages/Login.tsx'

/** A separate application: it shares components with the members' application, but no session, cookie or data. */
export function FounderApplication() {
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
