import { useEffect, useState } from 'react'
import { AfterDelay, longWait, Spinner } from '../../ui/feedback/Progress.tsx'
import { coreTexts } from '../texts.ts'
import { Button } from '../../ui/button/Button.tsx'
import { useTitle } from './Page.tsx'
import './starting.css'

/** Shown until the session is known and while a page's code loads. After a long wait it offers a reload. */
export function LoadingScreen() {
  return (
    <div className="starting" role="status">
      <Spinner className="ic-lg" />
      <span className="sr">{coreTexts.loading}</span>
      <StillLoading />
    </div>
  )
}

/** Says after a long wait that the server has not answered, and offers a reload. */
export function StillLoading() {
  return (
    <AfterDelay delay={longWait}>
      <p>{coreTexts.stillLoading}</p>
      <Button onClick={() => location.reload()}>{coreTexts.reload}</Button>
    </AfterDelay>
  )
}

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
