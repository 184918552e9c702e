import { useEffect, useState } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { coreTexts } from '../texts.ts'
import { useTitle } from '../../browser/useTitle.ts'
import './starting.css'

const pause = 5_000

/** Replaces every page while the session cannot be checked. Explains what does not work and which data is kept. */
export function Offline({ retry }: { retry: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  useTitle(coreTexts.offline)

  useEffect(() => {
    const again = () => void retry()
    const timer = setInterval(again, pause)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [retry])

  async function tryNow() {
    setBusy(true)
    await retry()
    setBusy(false)
  }

  return (
    <main className="starting crashed">
      <div>
        <h1 className="h-page">{coreTexts.offline}</h1>
        <p>{coreTexts.offlineWhy}</p>
        <p>{coreTexts.offlineUntil}</p>
        <p>{coreTexts.offlineKept}</p>
        <Button variant="primary" busy={busy} onClick={() => void tryNow()}>
          {coreTexts.retry}
        </Button>
      </div>
    </main>
  )
}
