import { PreferenceSwitch } from './PreferenceSwitch.tsx'
import { privacyTexts } from './texts.ts'

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
