import { useEffect, useRef, useState } from 'react'
import type { Client, ExportFacts, ExportProgress } from '@privity/client'
import { messageFor } from '../../app/callError.ts'
import { saveBlob } from '../../browser/blobDownload.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { exportTexts } from './exportTexts.ts'
import { privacyTexts } from './texts.ts'

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
      toast({ title: texts.failed, description: messageFor(error, texts.failedHint), tone: 'destructive' })
    }
  }

  return { state, start, cancel: () => running.current?.abort() }
}
