import { Segmented } from '../../ui/choice/Segmented.tsx'
import { SettingRow } from '../../ui/section/SettingRow.tsx'
import { preferenceTexts as texts, preferenceTexts } from './texts.ts'
import { ThemeChoice } from './ThemeChoice.tsx'
import type { Draft } from './useDraft.ts'
import { useId } from 'react'
import { Switch } from '../../ui/choice/Switch.tsx'

const sizes = ['small', 'medium', 'large'] as const

export function AppearanceSettings({ draft }: { draft: Draft }) {
  const { values, change } = draft
  return (
    <>
      <div className="set-row set-row-block">
        <b>{texts.theme}</b>
        <ThemeChoice value={values.theme} onChange={(theme) => change({ theme })} />
      </div>
      <SettingRow
        stacked
        label={texts.fontSize}
        control={
          <Segmented
            label={texts.fontSize}
            value={values.fontSize}
            options={sizes.map((value) => ({ value, label: texts.fontSizes[value] }))}
            onChange={(fontSize) => change({ fontSize })}
          />
        }
      />
      <DraftSwitch name="compactMode" draft={draft} />
      <DraftSwitch name="animationsEnabled" draft={draft} />
    </>
  )
}

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
