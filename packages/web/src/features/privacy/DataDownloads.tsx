import { useId, useState } from 'react'
import type { Client } from '@privity/client'
import { usePreferences, useSetPreferences } from '../../app/preferences/preferences.ts'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { AllowExports } from './AllowExports.tsx'
import { privacyTexts } from './texts.ts'

/** Data downloads, off by default. Enabling requires the password; disabling does not. */
export function DataDownloads({ client, username }: { client: Client; username: string }) {
  const texts = privacyTexts.data
  const { dataDownloads } = usePreferences().preferences
  const setPreferences = useSetPreferences()
  const [asking, setAsking] = useState(false)
  const hintId = useId()

  function change(on: boolean) {
    if (on) setAsking(true)
    else setPreferences({ dataDownloads: false }, { onSuccess: () => toast({ title: privacyTexts.updated }) })
  }

  return (
    <>
      <SettingRow
        label={texts.dataDownloads}
        hint={<span id={hintId}>{texts.dataDownloadsHint}</span>}
        control={
          <Switch
            id="dataDownloads"
            label={texts.dataDownloads}
            checked={dataDownloads}
            describedBy={hintId}
            onChange={change}
          />
        }
      />
      <AllowExports client={client} username={username} open={asking} onOpenChange={setAsking} />
    </>
  )
}
