import type { ExportTexts } from '@privity/client'
import { translated } from '../../app/callError.ts'
import { formatDate, formatTime } from '../../i18n/dateTime.ts'
import { privacyTexts } from './texts.ts'

const time = (at: number) => `${formatDate(at)} ${formatTime(at)}`

const sizes = [
  [1024 * 1024, 'MB'],
  [1024, 'KB'],
] as const

function size(bytes: number): string {
  const [unit, name] = sizes.find(([least]) => bytes >= least) ?? [1, 'B']
  return `${unit === 1 ? bytes : (bytes / unit).toFixed(1)} ${name}`
}

/** Texts for the readable files of an export, in the current language of the interface. */
export function exportTexts(): ExportTexts {
  const { language, readme, conversationWith, madeAt, you, empty, file } = privacyTexts.export
  return {
    language,
    readme: (facts) => readme(facts, time(facts.madeAt)),
    conversationWith,
    madeAt,
    you,
    empty,
    file: (name, bytes) => file(name, size(bytes)),
    unreadable: translated,
    time,
  }
}
