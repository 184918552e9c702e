import { Segmented } from '../../ui/choice/Segmented.tsx'
import { SettingRow } from '../../ui/section/Section.tsx'
import { DraftSwitch } from './DraftSwitch.tsx'
import { preferenceTexts as texts } from './texts.ts'
import { ThemeChoice } from './ThemeChoice.tsx'
import type { Draft } from './useDraft.ts'

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
