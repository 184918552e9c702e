import { useEffect, useRef, useState } from 'react'
import type { Client, ExportFacts, ExportProgress, ExportTexts } from '@privity/client'
import { translated, toastError } from '../../app/callError.ts'
import { saveBlob } from '../../browser/download.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { privacyTexts } from './texts.ts'
import { formatDate, formatTime } from '../../i18n/dateTime.ts'

export type ExportState =
  | { step: 'idle' }
  /** Progress is undefined until the server has accepted the export. */
  | { step: 'running'; progress: ExportProgress | undefined }
  | { step: 'saved'; name: string; facts: ExportFacts }
  | { step: 'cancelled' }

/** Creates the export and saves it as a download. Leaving the page cancels it. */
export function useExport(client: Client) {
  const [state, setState] = useState<ExportState>({ step: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(): Promise<void> {
    const texts = privacyTexts.export
    const { signal } = (running.current = new AbortController())
    let agreed = false
    setState({ step: 'running', progress: undefined })
    try {
      const made = await client.privacy.createExport({
        texts: exportTexts(),
        signal,
        onProgress(progress) {
          if (!agreed) toast({ title: texts.requested, description: texts.requestedHint })
          agreed = true
          setState({ step: 'running', progress: { ...progress } })
        },
      })
      signal.throwIfAborted()
      saveBlob(made.name, made.content)
      setState({ step: 'saved', name: made.name, facts: made.facts })
    } catch (error) {
      if (signal.aborted) return setState({ step: 'cancelled' })
      setState({ step: 'idle' })
      toastError(error, texts.failed, texts.failedHint)
    }
  }

  return { state, start, cancel: () => running.current?.abort() }
}

const time = (at: number) => `${formatDate(at)} ${formatTime(at)}`

const sizes = [
  [1024 * 1024, 'MB'],
  [1024, 'KB'],
] as const

function size(bytes: number): string {
  const [unit, name] = sizes.find(([least]) => bytes >= least) ?? [1, 'B']
  return `${unit === 1 ? bytes : (bytes / unit).toFixed(1)} ${name}`
}

/** Texts for the readable files of an export, in the current language of the interface. */
function exportTexts(): ExportTexts {
  const { language, readme, conversationWith, madeAt, you, empty, file, deleted } = privacyTexts.export
  return {
    language,
    readme: (facts) => readme(facts, time(facts.madeAt)),
    conversationWith,
    madeAt,
    you,
    empty,
    file: (name, bytes) => file(name, size(bytes)),
    unreadable: translated,
    deleted,
    time,
  }
}
