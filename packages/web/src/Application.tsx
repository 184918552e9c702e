import { StrictMode } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { App } from './App.tsx'
import { CrashScreen } from './core/CrashScreen.tsx'
import { language } from './core/language.ts'
import { queryClient } from './core/queryClient.ts'
import { useStore } from './core/useStore.ts'
import { Toaster } from './ui/Toaster.tsx'

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
