import { useState } from 'react'
import type { Client } from '@privity/client'
import { type Language, languageName } from '@privity/contract/languages'
import { isLanguageAnswered, keepLanguageAnswer } from '../../app/preferences/languageAnswer.ts'
import { usePreferencesLoad, useSetPreferences } from '../../app/preferences/preferences.ts'
import { Button } from '../../ui/button/Button.tsx'
import { coreTexts } from '../../app/texts.ts'
import { languageQuestion, offeredLanguage } from './offeredLanguage.ts'
import '../../app/screens/updateNotice.css'

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
    <div className="update">
      <p>
        <b>
          <span lang={offered}>{languageQuestion[offered]}</span> / {coreTexts.languageOffer(nameIn(current, offered))}
        </b>
      </p>
      <Button size="sm" lang={current} onClick={() => answer(current)}>
        {languageName(current)}
      </Button>
      <Button size="sm" variant="primary" lang={offered} onClick={() => answer(offered)}>
        {languageName(offered)}
      </Button>
    </div>
  )
}
