import { useEffect, useMemo, useState } from 'react'
import type { Preferences } from '@privity/contract/preferences'
import { languageChosen } from '../../i18n/language.ts'
import { keepLanguageAnswer } from '../../app/preferences/languageAnswer.ts'
import { useSetPreferences } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { previewAppearance } from '../../app/appearance.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { preferenceTexts as texts } from './texts.ts'

export interface Draft {
  /** The saved preferences with the unsaved changes applied. */
  values: Preferences
  dirty: boolean
  change: (part: Partial<Preferences>) => void
  cancel: () => void
  save: () => void
}

/** Draft of the preferences: previewed in this tab and stored on save. */
export function useDraft(saved: Preferences): Draft {
  const [draft, setDraft] = useState<Partial<Preferences>>({})
  const setPreferences = useSetPreferences()
  const client = useClient()
  const { id } = useUser()
  const changes = useMemo(() => changesOf(saved, draft), [saved, draft])
  const values = useMemo(() => ({ ...saved, ...changes }), [saved, changes])
  const dirty = Object.keys(changes).length > 0

  useEffect(() => {
    previewAppearance(dirty ? values : undefined)
    return () => previewAppearance()
  }, [values, dirty])

  return {
    values,
    dirty,
    change: (part) => setDraft((known) => ({ ...known, ...part })),
    cancel: () => setDraft({}),
    save() {
      if (changes.language) keepLanguageAnswer(client, id)
      setPreferences(changes, {
        async onSuccess() {
          setDraft({})
          await languageChosen()
          toast({ title: texts.saved, description: texts.savedHint })
        },
      })
    },
  }
}

/** Returns only values that differ from the saved ones: a reverted choice is no change. */
export function changesOf(saved: Preferences, draft: Partial<Preferences>): Partial<Preferences> {
  const keys = Object.keys(draft) as (keyof Preferences)[]
  return Object.fromEntries(keys.filter((key) => draft[key] !== saved[key]).map((key) => [key, draft[key]]))
}
