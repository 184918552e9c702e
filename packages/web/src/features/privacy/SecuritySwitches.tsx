import { useId } from 'react'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { PreferenceSwitch } from './PreferenceSwitch.tsx'
import { privacyTexts } from './texts.ts'

const unchangeable = () => {}

/** Account protection except the second factor. */
export function SecuritySwitches() {
  const texts = privacyTexts.security
  const hintId = useId()
  return (
    <>
      <SettingRow
        label={texts.messageEncryption}
        hint={<span id={hintId}>{texts.messageEncryptionHint}</span>}
        control={
          <Switch label={texts.messageEncryption} checked disabled describedBy={hintId} onChange={unchangeable} />
        }
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
