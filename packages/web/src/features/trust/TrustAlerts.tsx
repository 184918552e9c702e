import { CircleQuestionMark, CirclePause, TriangleAlert } from 'lucide-react'
import type { Client, ContactQuestion } from '@privity/client'
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

interface QuestionAlertProps extends PausedAlertProps {
  question: ContactQuestion
  onCompare: () => void
}

/** Shown above the composer until the user has answered whether to go on with this contact. */
export function QuestionAlert({ client, connectionId, firstName, question, onCompare }: QuestionAlertProps) {
  const isRenamed = question.code === 'NAME_CHANGED'
  const confirm = useTrustAction(
    connectionId,
    () => client.trust.confirm(connectionId, isRenamed ? question.now : undefined),
    isRenamed ? texts.kept(firstName) : texts.met(firstName),
  )
  const unverify = useTrustAction(connectionId, () => client.trust.unverify(connectionId), texts.unverified, onCompare)
  return (
    <div className="alert alert-warning alert-line alert-question" role="alert">
      <CircleQuestionMark className="ic" />
      <span className="grow">
        <b>{isRenamed ? texts.renamed(question.before, question.now) : texts.unmet(firstName)}</b>{' '}
        {isRenamed ? texts.renamedWhy : texts.unmetWhy(firstName)}
      </span>
      <Button size="sm" busy={unverify.isPending} onClick={() => (isRenamed ? unverify.mutate() : onCompare())}>
        {isRenamed ? texts.verifyAgain : texts.compare}
      </Button>
      <Button size="sm" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {isRenamed ? texts.keepVerified : texts.continue}
      </Button>
    </div>
  )
}
