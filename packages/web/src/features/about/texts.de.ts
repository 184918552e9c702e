import type { Translation } from '../../i18n/language.ts'
import type { aboutTexts as english } from './texts.ts'
import { lifetime } from '../../i18n/retention.ts'

export const aboutTexts: Translation<typeof english> = {
  title: 'Über Privity',
  lead: 'Was Privity ist, für wen es gedacht ist und was es verspricht.',
  product: {
    title: 'Privity',
    lead: 'Vertrauliche Nachrichten und Dateien zu zweit.',
    text: 'Privity befördert Nachrichten und Dateien zwischen zwei Personen, die sich miteinander verbunden haben, und niemandem sonst. Das Wort „privity“ stammt aus dem englischen Recht und bezeichnet eine vertrauliche Beziehung zwischen zwei Parteien.',
    version: 'Version',
    licence: 'Lizenz',
    server: 'Version des Servers',
  },
  features: {
    title: 'Funktionen',
    list: [
      {
        title: 'Verbindungscodes, die nicht ablaufen',
        text: 'Wer Ihren eingibt, ist mit Ihnen verbunden und mit niemandem sonst.',
      },
      {
        title: 'Nachrichten, die verschwinden',
        text: `Auf beiden Seiten gelöscht, ${lifetime.de} nach dem Senden oder früher.`,
      },
      { title: 'Downloads mit Freigabe', text: 'Der Absender entscheidet; eine Freigabe erlaubt 3 Downloads.' },
      { title: 'Sicherheitsnummern', text: 'Zwei Personen können prüfen, dass niemand zwischen ihnen steht.' },
    ],
  },
  audiences: {
    title: 'Für wen Privity gedacht ist',
    list: ['Polizei', 'Recht', 'Medizin', 'Unternehmen'],
  },
  compliance: {
    title: 'Zusicherungen',
    lead: 'Was die Software tut. Sie wurde von niemandem zertifiziert.',
    list: [
      {
        badge: 'Ende-zu-Ende-verschlüsselt',
        text: 'Nachrichten und Dateien werden im Browser verschlüsselt, mit 256-Bit-Schlüsseln.',
      },
      {
        badge: 'Zero Knowledge',
        text: 'Kein Passwort und kein brauchbarer Schlüssel erreicht den Server. Er sieht, wer wem schreibt.',
      },
      {
        badge: `Gelöscht nach ${lifetime.de}`,
        text: 'Abgelaufene Nachrichten und Dateien werden innerhalb einer Minute vernichtet, solange der Server läuft und sein Datenträger nicht voll ist.',
      },
      { badge: 'Audit-Protokoll', text: 'Aktionen werden protokolliert, ohne Inhalte und Dateinamen.' },
      { badge: 'Keine Tracker', text: 'Von anderen Websites wird nichts geladen.' },
    ],
    more: 'Das Bedrohungsmodell lesen: was abgedeckt ist und was nicht',
  },
  contact: {
    title: 'Kontakt',
    text: 'Fragen zu Ihrem Konto richten Sie an die Administration Ihrer Organisation. Bei allem anderen schreiben Sie dem Support.',
    support: 'Hilfe und Support',
  },
  legal: 'Rechtliches',
}
