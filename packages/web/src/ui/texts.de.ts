import type { Translation } from './translation.ts'
import type { uiTexts as english } from './texts.ts'

export const uiTexts: Translation<typeof english> = {
  close: 'Schließen',
  dismiss: 'Ausblenden',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen ...',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  capsLock: 'Die Feststelltaste ist eingeschaltet.',
  notices: 'Hinweise',
  skip: 'Zum Inhalt springen',
}
