import type { ReactNode, MouseEvent } from 'react'
import { Ban, CircleAlert, CircleCheck, Clock, LockKeyhole, X } from 'lucide-react'
import type { Transfer } from '@privity/client'
import { AfterDelay, longWait, Spinner } from '../../ui/feedback/Progress.tsx'
import type { FileMark, FileState } from './fileState.ts'
import { Button } from '../../ui/button/Button.tsx'
import { LazyTooltip } from '../../ui/overlay/LazyTooltip.tsx'
import { splitName, tileLabel } from './fileLabels.ts'
import { fileTexts as texts } from './texts.ts'
import '../../ui/tile/file.css'
import './fileState.css'

export function FileTile({ name }: { name: string }) {
  return (
    <span className="file-ic" aria-hidden="true">
      <span>{tileLabel(name)}</span>
    </span>
  )
}

/** Truncates a long name in the middle; the tooltip and screen readers get the full name. */
export function FileName({ name }: { name: string }) {
  const [start, end] = splitName(name)
  if (!end)
    return (
      <div className="fn trunc" dir="auto" title={name}>
        {name}
      </div>
    )
  return (
    <div className="fn fn-split" title={name}>
      <span className="sr">{name}</span>
      <span className="trunc" aria-hidden="true">
        {start}
      </span>
      <span aria-hidden="true">{end}</span>
    </div>
  )
}

const icons: Record<FileMark, ReactNode> = {
  ready: <CircleCheck className="ic ic-sm" />,
  waiting: <Clock className="ic ic-sm" />,
  denied: <Ban className="ic ic-sm" />,
  checking: <Spinner className="ic-sm" />,
  locked: <LockKeyhole className="ic ic-sm" />,
  failed: <CircleAlert className="ic ic-sm" />,
}

export function StateLine({ line, tone, mark }: Pick<FileState, 'line' | 'tone' | 'mark'>) {
  return (
    <div className={`fs fs-${tone}`}>
      {icons[mark]}
      {line}
    </div>
  )
}

/** Says that the server has not answered, once a transfer has made no progress for a long time. */
export function TransferWaits({ phase, done }: Pick<Transfer, 'phase' | 'done'>) {
  return (
    <AfterDelay key={`${phase} ${done}`} delay={longWait}>
      <StateLine line={texts.noAnswer} tone="wait" mark="waiting" />
    </AfterDelay>
  )
}

/** An icon button; `name` states what it cancels. */
export function CancelButton({ name, onCancel }: { name: string; onCancel: () => void }) {
  /** The button appears where the start button was, so ignore the second click of a double click. */
  const click = ({ detail }: MouseEvent) => {
    if (detail < 2) onCancel()
  }
  return (
    <LazyTooltip text={name}>
      <Button variant="ghost" size="sm" icon aria-label={name} onClick={click}>
        <X className="ic" />
      </Button>
    </LazyTooltip>
  )
}
