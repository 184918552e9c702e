import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { App } from './App.tsx'
import { CrashScreen } from './app/screens/CrashScreen.tsx'
import { language } from './i18n/language.ts'
import { queryClient } from './app/queryClient.ts'
import { useStore } from './ui/useStore.ts'
import { Toaster } from './ui/toast/Toaster.tsx'

/** All that is drawn. The build renders the same tree for the landing page, which the browser then takes over. */
export function Application() {
  // Another language is another set of texts: everything is drawn anew.
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
