import { useId } from 'react'
import type { Preferences } from '@privity/contract/preferences'
import { usePreferences, useSetPreferences } from '../../app/preferences/preferences.ts'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'

type SwitchKey =
  | 'readReceipts'
  | 'onlineStatus'
  | 'profileVisibility'
  | 'screenshotProtection'
  | 'sessionTimeout'
  | 'loginNotifications'

interface PreferenceSwitchProps {
  name: SwitchKey
  label: string
  hint: string
}

/** A switch for one preference. If the organization's policy enforces it, it is shown as on and disabled. */
export function PreferenceSwitch({ name, label, hint }: PreferenceSwitchProps) {
  const { preferences, policy } = usePreferences()
  const setPreferences = useSetPreferences()
  const hintId = useId()
  const enforced = name in policy && policy[name as keyof typeof policy] === true

  function change(on: boolean) {
    const part: Partial<Preferences> = { [name]: on }
    setPreferences(part, { onSuccess: () => toast({ title: privacyTexts.updated }) })
  }

  return (
    <SettingRow
      label={label}
      hint={
        <span id={hintId}>
          {hint}
          {enforced && <b className="set-by">{privacyTexts.byOrganization}</b>}
        </span>
      }
      control={
        <Switch
          id={name}
          label={label}
          checked={enforced || preferences[name]}
          disabled={enforced}
          describedBy={hintId}
          onChange={change}
        />
      }
    />
  )
}
