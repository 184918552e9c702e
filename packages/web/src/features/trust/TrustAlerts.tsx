import { CirclePause, TriangleAlert } from 'lucide-react'
import type { Client } from '@privity/client'
import { Button } from '../../ui/button/Button.tsx'
import { trustTexts as texts } from './texts.ts'
import { useTrustAction } from './queries.ts'
import '../../ui/panel/panel.css'

interface PausedAlertProps {
  client: Client
  connectionId: string
  firstName: string
}

/** Shown above the composer while the user has paused sending because the digits did not match. */
export function PausedAlert({ client, connectionId, firstName }: PausedAlertProps) {
  const resume = useTrustAction(connectionId, () => client.trust.resume(connectionId), texts.resumed(firstName))
  return (
    <div className="alert alert-warning alert-line" role="status">
      <CirclePause className="ic" />
      <span className="grow">
        <b>{texts.pausedTitle(firstName)}</b> {texts.pausedHint}
      </span>
      <Button size="sm" busy={resume.isPending} onClick={() => resume.mutate()}>
        {texts.resume}
      </Button>
    </div>
  )
}

/** Shown above the composer until the user has reviewed and accepted the changed key. */
export function KeyChangedAlert({ firstName, onReview }: { firstName: string; onReview: () => void }) {
  return (
    <div className="alert alert-critical alert-line" role="alert">
      <TriangleAlert className="ic" />
      <span className="grow">
        <b>{texts.changedAlert(firstName)}</b> {texts.changedHint}
      </span>
      <Button size="sm" onClick={onReview}>
        {texts.review}
      </Button>
    </div>
  )
}
