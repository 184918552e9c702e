import type { DownloadStatus, FileStatus } from '@privity/contract/files'
import { fileTexts as texts } from './texts.ts'

export type FileTone = 'ok' | 'wait' | 'no' | 'info'

export interface FileState {
  line: string
  tone: FileTone
  button: string
  /** What the button does. */
  action: 'download' | 'request'
  /** By the state alone; a request in flight disables it as well. */
  disabled: boolean
  /** Of three, where the state has a number. */
  downloadsLeft?: number
}

const states: Record<DownloadStatus, FileState> = {
  can_download: { line: texts.ready, tone: 'ok', button: texts.download, action: 'download', disabled: false },
  authorized: { line: texts.authorized, tone: 'ok', button: texts.download, action: 'download', disabled: false },
  pending: { line: texts.pending, tone: 'wait', button: texts.requestSent, action: 'request', disabled: true },
  denied: { line: texts.denied, tone: 'no', button: texts.denied, action: 'request', disabled: true },
  checking: { line: texts.checking, tone: 'info', button: texts.requestAccess, action: 'request', disabled: false },
  none: { line: texts.none, tone: 'info', button: texts.requestAccess, action: 'request', disabled: false },
}

/** The state line and the button of a file for its reader; an approval that is used up asks again. */
export function fileState(known: FileStatus | undefined): FileState {
  if (!known) return states.checking
  if (known.status === 'authorized') {
    if (known.downloadsLeft === 0) return states.none
    return { ...states.authorized, downloadsLeft: known.downloadsLeft }
  }
  return states[known.status]
}
