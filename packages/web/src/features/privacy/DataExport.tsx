import { useId } from 'react'
import { Download } from 'lucide-react'
import type { Client } from '@privity/client'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Progress } from '../../ui/feedback/Progress.tsx'
import { SettingRow } from '../../ui/section/Section.tsx'
import { privacyTexts } from './texts.ts'
import { type ExportState, useExport } from './useExport.ts'
import './dataExport.css'

/** Exports the user's data as a ZIP file while data downloads are enabled. */
export function DataExport({ client }: { client: Client }) {
  const texts = privacyTexts.export
  const { dataDownloads } = usePreferences().preferences
  const { state, start, cancel } = useExport(client)
  const hintId = useId()
  const running = state.step === 'running'
  return (
    <>
      <SettingRow
        stacked
        label={texts.label}
        hint={
          <span id={hintId}>
            {texts.hint} {!dataDownloads && texts.offHint}
          </span>
        }
        control={
          running ? (
            <Button onClick={cancel}>{texts.cancel}</Button>
          ) : (
            <Button disabled={!dataDownloads} aria-describedby={hintId} onClick={() => void start()}>
              <Download className="ic" />
              {texts.request}
            </Button>
          )
        }
      />
      {running && (
        <div className="export-p">
          <Progress percent={percentOf(state)} label={texts.bar} />
        </div>
      )}
      <p className="export-n" role="status">
        {noteOf(state)}
      </p>
    </>
  )
}

function percentOf({ progress }: Extract<ExportState, { step: 'running' }>): number {
  if (!progress) return 0
  return progress.of === 0 ? 100 : (progress.conversations / progress.of) * 100
}

function noteOf(state: ExportState): string {
  const texts = privacyTexts.export
  if (state.step === 'running') return state.progress ? texts.progress(state.progress) : texts.preparing
  if (state.step === 'saved') return texts.saved(state.name, state.facts)
  return state.step === 'cancelled' ? texts.cancelled : ''
}
