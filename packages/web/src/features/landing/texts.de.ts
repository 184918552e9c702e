import type { Translation } from '../../i18n/language.ts'
import type { landingTexts as english } from './texts.ts'
import { lifetime } from '../../i18n/retention.ts'

export const landingTexts: Translation<typeof english> = {
  title: 'Vertrauliche Nachrichten und Dateien zu zweit',
  signIn: 'Anmelden',
  getStarted: 'Loslegen',
  signUp: 'Kostenlos registrieren',
  account: 'Konto',
  headline: 'Nur zwischen Ihnen beiden.',
  lead: `Nachrichten und Dateien zwischen zwei Personen, für Polizei, Recht, Medizin und Unternehmen. Nachrichten verschwinden nach ${lifetime.de}, und eine Datei lässt sich nur mit Freigabe ihres Absenders öffnen.`,
  codeAtOnce: 'Sie erhalten Ihren Code sofort, und er läuft nie ab.',
  definition: {
    word: 'privity',
    kind: 'englisch, Rechtssprache',
    meaning:
      'Eine vertrauliche Beziehung zwischen zwei Parteien, die das Recht anerkennt und auf die sich kein Dritter berufen kann.',
  },
  features: 'Funktionen',
  code: {
    letters: ['KTR', 'MVX'],
    digits: '482',
    spoken: 'K T R, M V X, 4 8 2',
    spelt: 'Kilo Tango Romeo, Mike Victor X-Ray, vier acht zwei',
    title: 'Ihr eigener Code',
    text: 'Ihr Verbindungscode läuft nie ab und lässt sich gut am Telefon vorlesen. Wer ihn eingibt, ist mit Ihnen verbunden und mit niemandem sonst.',
  },
  messages: {
    question: 'Ist der Zeuge am Freitag noch verfügbar?',
    answer: 'Ja, ab zehn Uhr.',
    expiry: 'verschwindet in 3 Std.',
    title: 'Gespräche, die enden',
    text: `Jede Nachricht wird ${lifetime.de} nach dem Senden auf beiden Seiten gelöscht. Die Verbindung bleibt, die Aufzeichnung nicht.`,
  },
  files: {
    type: 'PDF',
    name: 'laborbericht-0417.pdf',
    left: '2 von 3 Downloads übrig',
    title: 'Dateien zu Ihren Bedingungen',
    text: 'Empfänger fragen an, Sie entscheiden. Eine Freigabe erlaubt drei Downloads und endet danach. Jede Anfrage wird protokolliert.',
  },
  security: {
    title: 'Was wir nicht lesen können, können wir nicht herausgeben.',
    blurbs: [
      {
        term: 'Ende-zu-Ende-Verschlüsselung',
        text: 'Texte und Dateien werden auf dem sendenden Gerät verschlüsselt und nur auf den Geräten von Ihnen beiden entschlüsselt.',
      },
      {
        term: '256-Bit-Verschlüsselung',
        text: 'Jedes Paar hat eigene Schlüssel und eine Sicherheitsnummer zum Vergleichen, damit Sie wissen, wer sie hat.',
      },
      {
        term: 'Zero Knowledge',
        text: `Kein Passwort und kein brauchbarer Schlüssel erreicht unsere Server. Die Server sehen, wer wem wann schreibt. Nachrichten und Dateien bewahren sie ${lifetime.de} lang verschlüsselt auf, ohne einen Schlüssel dazu.`,
      },
    ],
  },
  noscript:
    'Für die Anmeldung ist JavaScript erforderlich: Privity verschlüsselt in Ihrem Browser. Erlauben Sie es für diese Seite und laden Sie sie neu.',
  closing: 'Holen Sie sich Ihren Code.',
  version: (version) => `Privity ${version}`,
}
