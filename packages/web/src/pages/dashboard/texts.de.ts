import type { Translation } from '../../i18n/language.ts'
import type { dashboardTexts as english } from './texts.ts'
import { lifetime } from '../../i18n/retention.ts'

export const dashboardTexts: Translation<typeof english> = {
  title: 'Nachrichten',
  factor: {
    announced: (date) => `Ab ${date} verlangt Ihre Organisation die Anmeldung in zwei Schritten.`,
    setUpNow: 'Jetzt einrichten',
  },
  skip: 'Zum Gespräch springen',
  connections: 'Verbindungen',
  back: 'Zurück zu den Verbindungen',
  online: 'Online',
  encrypted: 'Ende-zu-Ende-verschlüsselt',
  video: 'Videoanruf',
  voice: 'Sprachanruf',
  info: 'Info',
  noVideo: 'Videoanrufe sind noch nicht verfügbar',
  noVoice: 'Sprachanrufe sind noch nicht verfügbar',
  noCallsHint: 'Nachrichten und Dateien sind es.',
  assurances: [
    { title: 'Ende-zu-Ende-verschlüsselt', text: '256-Bit-Schlüssel. Der Server hat keinen, den er verwenden kann.' },
    { title: `Nach ${lifetime.de} gelöscht`, text: 'Nachrichten werden fortlaufend gelöscht, Verbindungen bleiben.' },
    { title: 'Freigegebene Downloads', text: 'Der Absender entscheidet; jede Freigabe erlaubt 3.' },
  ],
}
