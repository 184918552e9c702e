import { Ban, CircleAlert, CircleCheck, Clock, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'
import type { FileState } from './fileState.ts'
import { fileTexts as texts } from './texts.ts'

const icons: Record<string, ReactNode> = {
  [texts.ready]: <CircleCheck className="ic ic-sm" />,
  [texts.authorized]: <CircleCheck className="ic ic-sm" />,
  [texts.pending]: <Clock className="ic ic-sm" />,
  [texts.denied]: <Ban className="ic ic-sm" />,
  [texts.checking]: <Spinner className="ic-sm" />,
  [texts.none]: <LockKeyhole className="ic ic-sm" />,
}

export function StateLine({ line, tone }: Pick<FileState, 'line' | 'tone'>) {
  return (
    <div className={`fs fs-${tone}`}>
      {icons[line] ?? <CircleAlert className="ic ic-sm" />}
      {line}
    </div>
  )
}
