import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { App } from './App.tsx'
import { CrashScreen } from './app/screens/CrashScreen.tsx'
import { language } from './i18n/language.ts'
import { queryClient } from './app/queryClient.ts'
import { useStore } from './ui/useStore.ts'
import { Toaster } from './ui/toast/Toaster.tsx'

/** The root of the component tree. The build renders the same tree for the landing page, which React then hydrates. */
export function Application() {
  // A change of language replaces all texts, so the whole tree is rendered again.
  const key = useStore(language)
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient} key={key}>
        <CrashScreen>
          <App />
        </CrashScreen>
        <Toaster />
      </QueryClientProvider>
    </StrictMode>
  )
}
