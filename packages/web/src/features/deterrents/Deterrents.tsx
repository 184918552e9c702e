import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Client } from '@privity/client'
import { createReporter, openQueue } from './report.ts'
import { deterrentTexts as texts } from './texts.ts'
import { watchPage } from './pageWatch.ts'
import './printNotice.css'

interface DeterrentsProps {
  client: Client
  userId: string
  /** Whether the member has enabled deterrents or the organization enforces them. */
  on: boolean
}

/** Watches the page while mounted and enabled. If disabled, it watches nothing and reports nothing. */
export function Deterrents({ client, userId, on }: DeterrentsProps) {
  useEffect(() => {
    const queue = openQueue(client, userId)
    if (!on) {
      queue.clear()
      queue.stop()
      return
    }
    const stopHearing = client.on('resync', queue.flush)
    const stopWatching = watchPage(createReporter(client, queue))
    document.documentElement.dataset['noPrint'] = ''
    return () => {
      stopHearing()
      stopWatching()
      queue.stop()
      delete document.documentElement.dataset['noPrint']
    }
  }, [client, userId, on])
  return on && <PrintNotice />
}

/** The only content on a printed page. Rendered beside the application, which the print styles hide. */
function PrintNotice() {
  const [body] = useState(() => document.body)
  return createPortal(
    <div className="print-notice">
      <h1>{texts.printTitle}</h1>
      <p>{texts.printNotice}</p>
    </div>,
    body,
  )
}
