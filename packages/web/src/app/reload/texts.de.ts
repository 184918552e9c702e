import type { Translation } from '../../i18n/language.ts'
import type { offlineTexts as english } from './texts.ts'

export const offlineTexts: Translation<typeof english> = {
  asOf: (time) => `Offline: Nachrichten mit Stand ${time}`,
}
