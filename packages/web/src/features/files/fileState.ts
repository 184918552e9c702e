import type { FileStatus } from '@privity/contract/files'
import { fileTexts as texts } from './texts.ts'

export type FileTone = 'ok' | 'wait' | 'no' | 'info'
export type FileMark = 'ready' | 'waiting' | 'denied' | 'checking' | 'locked' | 'failed'

export interface FileState {
  line: string
  tone: FileTone
  mark: FileMark
  button: string
  /** Action of the button. */
  action: 'download' | 'request'
  /** Disabled by the state; a request in flight also disables the button. */
  disabled: boolean
  /** Downloads left of three, if the state has a number. */
  downloadsLeft?: number
}

const mayDownload = (line: string): FileState => ({
  line,
  tone: 'ok',
  mark: 'ready',
  button: texts.download,
  action: 'download',
  disabled: false,
})

const mayAsk = (line: string, mark: 'locked' | 'checking'): FileState => ({
  line,
  tone: 'info',
  mark,
  button: texts.requestAccess,
  action: 'request',
  disabled: false,
})

/** State line and button of a file for its recipient, who can request access again after the last download. */
export function fileState(known: FileStatus | undefined): FileState {
  const status = known?.status ?? 'checking'
  const left = known?.downloadsLeft
  const used = left === 0 && (status === 'authorized' || status === 'none')
  if (used) return { ...mayAsk(texts.allUsed, 'locked'), downloadsLeft: 0 }
  if (status === 'can_download') return mayDownload(texts.ready)
  if (status === 'authorized')
    return { ...mayDownload(texts.authorized), ...(left !== undefined && { downloadsLeft: left }) }
  if (status === 'none') return mayAsk(texts.none, 'locked')
  if (status === 'checking') return mayAsk(texts.checking, 'checking')
  const decided = { action: 'request', disabled: true } as const
  return status === 'pending'
    ? { ...decided, line: texts.pending, tone: 'wait', mark: 'waiting', button: texts.requestSent }
    : { ...decided, line: texts.denied, tone: 'no', mark: 'denied', button: texts.denied }
}
