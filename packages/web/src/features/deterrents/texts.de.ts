import type { Translation } from '../../i18n/language.ts'
import type { deterrentTexts as english } from './texts.ts'

export const deterrentTexts: Translation<typeof english> = {
  warnings: {
    screenshot: 'Bildschirmaufnahmen sind aus Sicherheitsgründen nicht erlaubt',
    devTools: 'Der Zugang zu Entwicklerwerkzeugen ist eingeschränkt',
    print: 'Drucken ist aus Sicherheitsgründen nicht erlaubt',
    rightClick: 'Der Rechtsklick ist aus Sicherheitsgründen deaktiviert',
    console: 'Zugriff auf die Konsole erkannt – Aktivitäten werden protokolliert',
  },
  logged: 'Dieser Versuch wurde protokolliert.',
  printTitle: 'Diese Seite wird nicht gedruckt',
  printNotice:
    'Drucken ist aus Sicherheitsgründen nicht erlaubt. Öffnen Sie Privity in Ihrem Browser, um sie zu lesen.',
}
