import type { Translation } from '../../../i18n/language.ts'
import type { lifetimeTexts as english } from './texts.ts'

export const lifetimeTexts: Translation<typeof english> = {
  title: 'Nachrichten verschwinden nach',
  hint: 'Gilt für Sie beide, für Nachrichten und Dateien, die ab jetzt gesendet werden.',
  button: (time) => `Nachrichten verschwinden nach ${time}. Ändern`,
  changed: (name, time) => `${name} hat eingestellt, dass Nachrichten nach ${time} verschwinden`,
  changedHint: 'Nachrichten, die vorher gesendet wurden, behalten ihre Zeit.',
  saved: (time) => `Nachrichten verschwinden nach ${time}`,
  failed: 'Die Zeit wurde nicht geändert',
  failedHint: 'Versuchen Sie es noch einmal.',
}
