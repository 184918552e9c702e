import { Ban, CircleAlert, CircleCheck, Clock, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from '../../ui/button/Spinner.tsx'
import type { FileMark, FileState } from './fileState.ts'

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
