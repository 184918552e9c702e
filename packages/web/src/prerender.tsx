import { prerender } from 'react-dom/static'
import { Router } from 'wouter'
import { type Language, languages } from '@privity/contract/languages'
import { Application } from './App.tsx'
import { speak, startLanguage } from './i18n/language.ts'
import { landingTexts } from './features/landing/texts.ts'

await startLanguage(() => import('./i18n/translations.ts'))

async function render(language: Language) {
  await speak(language)
  const failures: unknown[] = []
  const { prelude } = await prerender(
    <Router ssrPath="/">
      <Application />
    </Router>,
    {
      // Disable streaming of later chunks, which needs inline scripts that the Content-Security-Policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => void failures.push(error),
    },
  )
  const body = await new Response(prelude).text()
  if (failures.length > 0) throw failures[0]
  const { lead, noscript } = landingTexts
  return { body, description: lead, noscript }
}

/** The landing page in each language, with the texts for its head. */
export const landing: Partial<Record<Language, Awaited<ReturnType<typeof render>>>> = {}
for (const language of languages) landing[language] = await render(language)
