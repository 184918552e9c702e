import { limits } from '@privity/contract/limits'
import { usePreferences } from '../../../app/preferences/preferences.ts'
import { SettingRow } from '../../../ui/section/Section.tsx'
import { Select } from '../../../ui/choice/Select.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { useStore } from '../../../ui/useStore.ts'
import { lockAfter, setLockAfter } from '../lockAfter.ts'
import { lockSettingTexts as texts } from './texts.ts'

/** The choice after how long without use this browser locks, up to the organization's limit. */
export function LockSetting() {
  const minutes = useStore(lockAfter)
  const longest = usePreferences().policy.lockAfter
  const choices = [0, ...limits.idleLockMinutes].filter((each) => longest === 0 || (each > 0 && each <= longest))
  return (
    <SettingRow
      stacked
      label={texts.after}
      hint={
        <>
          {texts.afterHint}
          {longest > 0 && <b className="set-by">{texts.byOrganization(longest)}</b>}
        </>
      }
      control={
        <Select
          label={texts.after}
          value={String(minutes)}
          options={choices.map((each) => ({ value: String(each), label: texts.minutes(each) }))}
          onChange={(value) => {
            setLockAfter(Number(value))
            toast({ title: texts.saved })
          }}
        />
      }
    />
  )
}
