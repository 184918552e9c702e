import { useId } from 'react'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { preferenceTexts } from './texts.ts'
import type { Draft } from './useDraft.ts'

export function DraftSwitch({ name, draft }: { name: keyof typeof preferenceTexts.switches; draft: Draft }) {
  const id = useId()
  const { label, hint } = preferenceTexts.switches[name]
  return (
    <SettingRow
      label={label}
      hint={<span id={id}>{hint}</span>}
      control={
        <Switch
          label={label}
          describedBy={id}
          checked={draft.values[name]}
          onChange={(on) => draft.change({ [name]: on })}
        />
      }
    />
  )
}

/** A setting that cannot be changed here; the hint explains why. */
export function FixedSwitch({ label, hint, on }: { label: string; hint: string; on: boolean }) {
  const id = useId()
  return (
    <SettingRow
      label={label}
      hint={<span id={id}>{hint}</span>}
      control={<Switch label={label} describedBy={id} checked={on} disabled onChange={() => {}} />}
    />
  )
}
