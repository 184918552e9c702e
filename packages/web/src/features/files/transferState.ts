import type { Transfer } from '@privity/client'
import { translated } from '../../app/callError.ts'
import { formatPart } from './fileLabels.ts'
import { fileTexts as texts } from './texts.ts'

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
