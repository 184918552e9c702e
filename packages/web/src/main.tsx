import '@privity/contract/withoutEval'
import './styles/tokens.css'
import './styles/light.css'
import './styles/dark.css'
import './styles/fonts.css'
import './styles/base.css'
import './styles/type.css'
import './styles/motion.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { App } from './App.tsx'
import { CrashScreen } from './core/CrashScreen.tsx'
import './core/invitation.ts'
import { queryClient } from './core/queryClient.ts'
import { keepServiceWorker } from './core/serviceWorker.ts'
import { startSession } from './core/session.ts'
import { followAppearance } from './core/theme.ts'
import { followThemeColor } from './core/themeColor.ts'
import { loadFirstPage, loadMemberPage } from './pages/load.ts'
import { UpdateNotice } from './core/UpdateNotice.tsx'
import { Toaster } from './ui/Toaster.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

followAppearance()
followThemeColor()
loadFirstPage(location.pathname)
void startSession(loadMemberPage)
void keepServiceWorker({ install: false })

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <CrashScreen>
        <App />
      </CrashScreen>
      <UpdateNotice />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
)
