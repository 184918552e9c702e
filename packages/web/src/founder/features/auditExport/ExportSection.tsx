import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Braces, Download } from 'lucide-react'
import { exportEventTypes } from '@privity/contract/founder/auditExport'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { saveBlob } from '../../../browser/blobDownload.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Select } from '../../../ui/choice/Select.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConsolePanel } from '../../console/ConsolePanel.tsx'
import { beginningOf, endOf, lastDays } from './days.ts'
import { exportTexts as texts } from './texts.ts'
import './auditExport.css'

export const exportId = 'audit-log-export'

type EventType = 'all' | (typeof exportEventTypes)[number]
const eventTypes: readonly EventType[] = ['all', ...exportEventTypes]

/** Section 5 of the console: exports the logs of a range of days as a file with a proof of integrity. */
export function ExportSection() {
  const [days, setDays] = useState(() => lastDays(Date.now()))
  const [eventType, setEventType] = useState<EventType>('all')
  const { formatDate } = useDateTime()
  const start = beginningOf(days.start)
  const end = endOf(days.end)
  const reversed = start !== undefined && end !== undefined && end < start

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
    onError(error) {
      const description = messageFor(error, texts.toasts.failedWhy)
      toast({ title: texts.toasts.failed, description, tone: 'destructive' })
    },
  })

  const disabled = start === undefined || end === undefined || reversed || download.isPending
  const busyWith = download.isPending ? download.variables : undefined
  const range = start && end ? texts.range(formatDate(start.getTime()), formatDate(end.getTime())) : texts.noRange
  return (
    <ConsolePanel id={exportId} title={texts.section}>
      <div className="export-form">
        <div className="export-days">
          <Field label={texts.start}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={days.start}
                onChange={(event) => setDays({ ...days, start: event.target.value })}
              />
            )}
          </Field>
          <Field label={texts.end} error={reversed ? texts.reversed : undefined}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={days.end}
                onChange={(event) => setDays({ ...days, end: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label={texts.type}>
          {(control) => (
            <Select
              {...control}
              label={texts.type}
              value={eventType}
              options={eventTypes.map((value) => ({ value, label: texts.types[value] }))}
              onChange={setEventType}
            />
          )}
        </Field>
        <p className="hint">
          <span role="status">{range}</span>
          <br />
          {texts.most}
        </p>
        <div className="export-acts">
          <Button
            variant="primary"
            busy={busyWith === 'csv'}
            disabled={disabled}
            onClick={() => download.mutate('csv')}
          >
            {busyWith !== 'csv' && <Download className="ic" />}
            {busyWith === 'csv' ? texts.exporting : texts.csv}
          </Button>
          <Button busy={busyWith === 'json'} disabled={disabled} onClick={() => download.mutate('json')}>
            {busyWith !== 'json' && <Braces className="ic" />}
            {busyWith === 'json' ? texts.exporting : texts.json}
          </Button>
        </div>
        <p className="hint">{texts.proof}</p>
      </div>
    </ConsolePanel>
  )
}
