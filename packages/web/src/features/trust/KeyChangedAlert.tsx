import { TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/button/Button.tsx'
import { trustTexts as texts } from './texts.ts'
import '../../ui/panel/panel.css'

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
