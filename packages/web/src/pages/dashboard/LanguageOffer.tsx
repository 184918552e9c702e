import { useState } from 'react'
import type { Client } from '@privity/client'
import { Languages } from 'lucide-react'
import { type Language, languageName } from '@privity/contract/languages'
import { isLanguageAnswered, keepLanguageAnswer } from '../../app/preferences/languageAnswer.ts'
import { usePreferencesLoad, useSetPreferences } from '../../app/preferences/preferences.ts'
import { Button } from '../../ui/button/Button.tsx'
import { coreTexts } from '../../app/texts.ts'
import { languageQuestion, offeredLanguage } from './offeredLanguage.ts'
import '../../ui/panel/panel.css'

const nameIn = (language: Language, named: Language) =>
  new Intl.DisplayNames(language, { type: 'language' }).of(named) ?? named

/** Asks once per browser and account, in both languages, if the browser's language is not the account's. */
export function LanguageOffer({ client, userId }: { client: Client; userId: string }) {
  const current = usePreferencesLoad().data?.preferences.language
  const setPreferences = useSetPreferences()
  const [isAnswered, setAnswered] = useState(() => isLanguageAnswered(client, userId))
  const offered = offeredLanguage(navigator.languages, current)
  if (isAnswered || current === undefined || offered === undefined) return null

  function answer(language: Language) {
    keepLanguageAnswer(client, userId)
    setAnswered(true)
    if (language !== current) setPreferences({ language })
  }

  return (
    <div className="alert alert-line alert-question" role="status">
      <Languages className="ic" />
      <span className="grow">
        <span lang={offered}>{languageQuestion[offered]}</span> / {coreTexts.languageOffer(nameIn(current, offered))}
      </span>
      <Button size="sm" lang={current} onClick={() => answer(current)}>
        {languageName(current)}
      </Button>
      <Button size="sm" lang={offered} onClick={() => answer(offered)}>
        {languageName(offered)}
      </Button>
    </div>
  )
}
