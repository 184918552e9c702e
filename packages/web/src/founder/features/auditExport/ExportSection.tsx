import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Braces, Download } from 'lucide-react'
import { exportEventTypes } from '@privity/contract/founder/auditExport'
import { toastError } from '../../../app/callError.ts'
import { saveBlob } from '../../../browser/download.ts'
import { isoDay, startOfDay, formatDate } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { InputField } from '../../../ui/field/Field.tsx'
import { SelectField } from '../../../ui/choice/Select.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConsolePanel } from '../../console/ConsoleSection.tsx'
import { exportTexts as texts } from './texts.ts'

export const exportId = 'audit-log-export'

type EventType = 'all' | (typeof exportEventTypes)[number]
const eventTypes: readonly EventType[] = ['all', ...exportEventTypes]

const daysBack = 7

/** The last 7 days up to now. */
export function lastDays(now: number): { start: string; end: string } {
  const start = new Date(now)
  start.setDate(start.getDate() - daysBack)
  return { start: isoDay(start.getTime()), end: isoDay(now) }
}

/** The start of a day; undefined for an invalid date. */
export function beginningOf(day: string): Date | undefined {
  const ms = startOfDay(day)
  return ms === undefined ? undefined : new Date(ms)
}

/** The last millisecond of a day, which has more or less than 24 hours when clocks change. */
export function endOf(day: string): Date | undefined {
  const date = beginningOf(day)
  date?.setDate(date.getDate() + 1)
  date?.setMilliseconds(-1)
  return date
}

/** Section 5 of the console: exports the logs of a range of days as a file with a proof of integrity. */
export function ExportSection() {
  const [days, setDays] = useState(() => lastDays(Date.now()))
  const [eventType, setEventType] = useState<EventType>('all')
  const start = beginningOf(days.start)
  const end = endOf(days.end)
  const isReversed = start !== undefined && end !== undefined && end < start

  const download = useMutation({
    mutationFn: (format: 'csv' | 'json') =>
      founderClient.exportLogs({
        format,
        startDate: start?.toISOString() ?? '',
        endDate: end?.toISOString() ?? '',
        eventType: eventType === 'all' ? undefined : eventType,
      }),
    onSuccess({ name, content }) {
      saveBlob(name, content)
      toast({ title: texts.toasts.done })
    },
    onError: (error) => toastError(error, texts.toasts.failed, texts.toasts.failedWhy),
  })

  const isDisabled = start === undefined || end === undefined || isReversed || download.isPending
  const busyWith = download.isPending ? download.variables : undefined
  const range = start && end ? texts.range(formatDate(start.getTime()), formatDate(end.getTime())) : texts.noRange
  return (
    <ConsolePanel id={exportId} title={texts.section}>
      <div className="con-form">
        <div className="export-days">
          {(['start', 'end'] as const).map((name) => (
            <InputField
              key={name}
              label={texts[name]}
              error={name === 'end' && isReversed ? texts.reversed : undefined}
              type="date"
              value={days[name]}
              onChange={(event) => setDays({ ...days, [name]: event.target.value })}
            />
          ))}
        </div>
        <SelectField
          label={texts.type}
          value={eventType}
          options={eventTypes.map((value) => ({ value, label: texts.types[value] }))}
          onChange={setEventType}
        />
        <p className="hint">
          <span role="status">{range}</span>
          <br />
          {texts.most}
        </p>
        <div className="con-acts">
          <Button
            variant="primary"
            busy={busyWith === 'csv'}
            disabled={isDisabled}
            onClick={() => download.mutate('csv')}
          >
            {busyWith !== 'csv' && <Download className="ic" />}
            {busyWith === 'csv' ? texts.exporting : texts.csv}
          </Button>
          <Button busy={busyWith === 'json'} disabled={isDisabled} onClick={() => download.mutate('json')}>
            {busyWith !== 'json' && <Braces className="ic" />}
            {busyWith === 'json' ? texts.exporting : texts.json}
          </Button>
        </div>
        <p className="hint">{texts.proof}</p>
      </div>
    </ConsolePanel>
  )
}
