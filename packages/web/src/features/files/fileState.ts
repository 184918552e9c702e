import type { FileStatus } from '@privity/contract/files'
import type { Transfer } from '@privity/client'
import { fileTexts as texts } from './texts.ts'
import { translated } from '../../app/callError.ts'
import { formatPart } from './fileLabels.ts'

type FileTone = 'ok' | 'wait' | 'no' | 'info'
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
  /** Downloads left, at least 1. Absent where no number is shown. */
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
  if (used) return mayAsk(texts.allUsed, 'locked')
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

const over: ReadonlySet<Transfer['phase']> = new Set(['done', 'failed', 'cancelled'])

/** All bytes have been transferred; the remaining work has no progress. */
const complete: ReadonlySet<Transfer['phase']> = new Set(['sending', 'saving', 'done'])

export const isOver = ({ phase }: Pick<Transfer, 'phase'>): boolean => over.has(phase)

type Passed = Pick<Transfer, 'done' | 'size' | 'phase'>

/** Percentage as an integer from 0 to 100. An empty file is at 0 until it is complete. */
export function percentOf({ done, size, phase }: Passed): number {
  if (complete.has(phase)) return 100
  return size > 0 ? Math.min(100, Math.floor((done / size) * 100)) : 0
}

/** The reason for a failure, in the language of the interface. */
export const reasonOf = ({ error = '', code }: Pick<Transfer, 'error' | 'code'>): string =>
  code === undefined ? texts.couldNotShare : translated({ code, sentence: error })

/** For example '29.9 of 48.2 MB'. */
export function amountOf({ done, size, phase }: Passed): string {
  const [part, whole] = formatPart(complete.has(phase) ? size : Math.min(done, size), size)
  return texts.progress(part, whole)
}

const words = (): Partial<Record<Transfer['phase'], string>> => ({
  preparing: texts.preparing,
  encrypting: texts.encrypting,
  uploading: texts.uploading,
  sending: texts.finishing,
  downloading: texts.downloading,
  saving: texts.saving,
})

export const phaseWords = ({ phase }: Pick<Transfer, 'phase'>): string => words()[phase] ?? ''
