import { RadioGroup } from 'radix-ui'
import type { Preferences } from '@privity/contract/preferences'
import { preferenceTexts as texts } from './texts.ts'
import './themeChoice.css'

type Theme = Preferences['theme']

const themes: readonly Theme[] = ['light', 'dark', 'system']

interface ThemeChoiceProps {
  value: Theme
  onChange: (theme: Theme) => void
}

/** Offers the three themes as small previews. */
export function ThemeChoice({ value, onChange }: ThemeChoiceProps) {
  return (
    <RadioGroup.Root
      className="themes"
      aria-label={texts.theme}
      orientation="horizontal"
      value={value}
      onValueChange={(chosen) => onChange(chosen as Theme)}
    >
      {themes.map((theme) => (
        <RadioGroup.Item key={theme} className="theme" value={theme}>
          {theme === 'system' ? <BothViews /> : <View theme={theme} />}
          <span className="theme-name">
            <span className="theme-dot" aria-hidden="true" />
            {texts.themes[theme]}
          </span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

function View({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <span className="theme-view" data-theme={theme} aria-hidden="true">
      <i />
      <span>
        <u />
        <u className="own" />
      </span>
    </span>
  )
}

function BothViews() {
  return (
    <span className="theme-view theme-view-both" aria-hidden="true">
      <span data-theme="light">
        <u />
      </span>
      <span data-theme="dark">
        <u className="own" />
      </span>
    </span>
  )
}
