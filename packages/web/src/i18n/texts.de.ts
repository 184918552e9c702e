import type { Translation } from './language.ts'
import type { deviceTexts as english } from './texts.ts'

export const deviceTexts: Translation<typeof english> = {
  unknown: 'Unbekanntes Gerät',
  on: (browser, system) => `${browser} unter ${system}`,
}
