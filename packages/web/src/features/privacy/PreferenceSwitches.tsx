import type { Preferences } from '@privity/contract/preferences'
import { usePreferences, useSetPreferences } from '../../app/preferences/preferences.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'
import { SwitchRow } from '../../ui/section/Section.tsx'

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
  const enforced = name in policy && policy[name as keyof typeof policy] === true

  function change(on: boolean) {
    const part: Partial<Preferences> = { [name]: on }
    setPreferences(part, { onSuccess: () => toast({ title: privacyTexts.updated }) })
  }

  return (
    <SwitchRow
      id={name}
      label={label}
      hint={
        <>
          {hint}
          {enforced && <b className="set-by">{privacyTexts.byOrganization}</b>}
        </>
      }
      checked={enforced || preferences[name]}
      disabled={enforced}
      onChange={change}
    />
  )
}

/** Privacy preferences about what contacts see. */
export function PrivacySwitches() {
  const texts = privacyTexts.privacy
  return (
    <>
      <PreferenceSwitch name="readReceipts" label={texts.readReceipts} hint={texts.readReceiptsHint} />
      <PreferenceSwitch name="onlineStatus" label={texts.onlineStatus} hint={texts.onlineStatusHint} />
      <PreferenceSwitch name="profileVisibility" label={texts.profileVisibility} hint={texts.profileVisibilityHint} />
    </>
  )
}

const unchangeable = () => {}

/** Account protection except the second factor. */
export function SecuritySwitches() {
  const texts = privacyTexts.security
  return (
    <>
      <SwitchRow
        label={texts.messageEncryption}
        hint={texts.messageEncryptionHint}
        checked
        disabled
        onChange={unchangeable}
      />
      <PreferenceSwitch
        name="screenshotProtection"
        label={texts.screenshotProtection}
        hint={texts.screenshotProtectionHint}
      />
      <PreferenceSwitch name="sessionTimeout" label={texts.sessionTimeout} hint={texts.sessionTimeoutHint} />
      <PreferenceSwitch
        name="loginNotifications"
        label={texts.loginNotifications}
        hint={texts.loginNotificationsHint}
      />
    </>
  )
}
