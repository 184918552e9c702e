import { useId } from 'react'
import type { Client } from '@privity/client'
import { languageName, languages } from '@privity/contract/languages'
import { formatDate, formatTime } from '../../i18n/dateTime.ts'
import { everyMinute } from '../../browser/useMinuteTick.ts'
import { useStore } from '../../ui/useStore.ts'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { Select } from '../../ui/choice/Select.tsx'
import { SettingRow } from '../../ui/section/Section.tsx'
import { preferenceTexts as texts } from './texts.ts'
import type { Draft } from './useDraft.ts'

const dates = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD'] as const
const times = ['12h', '24h'] as const

export function RegionalSettings({ client, draft: { values, change } }: { client: Client; draft: Draft }) {
  useStore(everyMinute)
  const [dateId, timeId] = [useId(), useId()]
  const now = client.now()
  return (
    <>
      <SettingRow
        stacked
        label={texts.language}
        control={
          <Segmented
            label={texts.language}
            value={values.language}
            options={languages.map((value) => ({ value, label: languageName(value) }))}
            onChange={(language) => change({ language })}
          />
        }
      />
      <SettingRow
        stacked
        label={texts.dateFormat}
        hint={<span id={dateId}>{texts.today(formatDate(now, values.dateFormat))}</span>}
        control={
          <Select
            label={texts.dateFormat}
            aria-describedby={dateId}
            value={values.dateFormat}
            options={dates.map((value) => ({ value, label: value }))}
            onChange={(dateFormat) => change({ dateFormat })}
          />
        }
      />
      <SettingRow
        stacked
        label={texts.timeFormat}
        hint={<span id={timeId}>{texts.now(formatTime(now, values.timeFormat))}</span>}
        control={
          <Segmented
            label={texts.timeFormat}
            describedBy={timeId}
            value={values.timeFormat}
            options={times.map((value) => ({ value, label: texts.timeFormats[value] }))}
            onChange={(timeFormat) => change({ timeFormat })}
          />
        }
      />
    </>
  )
}
