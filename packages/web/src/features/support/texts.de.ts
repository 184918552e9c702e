import type { SupportCategory, SupportPriority, SupportRequest } from '@privity/contract/support'
import type { Translation } from '../../i18n/language.ts'
import type { supportTexts as english } from './texts.ts'

const categories: Record<SupportCategory, string> = {
  general: 'Allgemeine Frage',
  account: 'Konto und Anmeldung',
  connections: 'Verbindungen und Codes',
  messages: 'Nachrichten',
  files: 'Dateien und Downloads',
  security: 'Sicherheit',
}
const priorities: Record<SupportPriority, string> = {
  low: 'Niedrig',
  normal: 'Normal',
  high: 'Hoch',
  urgent: 'Dringend',
}
const states: Record<SupportRequest['state'], string> = { open: 'Offen', closed: 'Abgeschlossen' }

export const supportTexts: Translation<typeof english> = {
  title: 'Hilfe und Support',
  lead: 'Häufige Fragen und ein Formular, um den Support zu kontaktieren.',
  faq: {
    title: 'Häufige Fragen',
    lead: 'Wie Privity funktioniert und was es nicht kann.',
    search: 'Fragen durchsuchen',
    found: (count) => (count === 1 ? '1 Frage' : `${count} Fragen`),
    empty: 'Keine passenden Fragen gefunden. Versuchen Sie andere Begriffe oder wenden Sie sich an den Support.',
  },
  form: {
    title: 'Support kontaktieren',
    lead: 'Ihre Anfrage wird unter einer Referenznummer gespeichert, die Sie angeben können.',
    notEncrypted:
      'Support-Anfragen sind nicht Ende-zu-Ende-verschlüsselt: Wer sie beantwortet, kann sie lesen. Schreiben Sie keine Passwörter, Schlüssel oder Inhalte von Nachrichten hinein.',
    subject: 'Betreff',
    category: 'Kategorie',
    message: 'Nachricht',
    priority: 'Priorität',
    needed: 'Geben Sie zum Absenden einen Betreff und eine Nachricht ein.',
    count: (used, most) => `${used}/${most}`,
    submit: 'Anfrage absenden',
    submitting: 'Wird abgesendet ...',
    bad: {
      subject: (most) =>
        `Geben Sie den Betreff in einer Zeile mit höchstens ${most} Zeichen ein, ohne Zeichen für die Schreibrichtung und ohne E-Mail-Kopfzeilen wie „From:“.`,
      message: (most) => `Geben Sie eine Nachricht mit höchstens ${most} Zeichen ein.`,
      other: 'Diese Auswahl wird nicht angenommen. Wählen Sie eine andere.',
    },
    failed: 'Support-Anfrage nicht abgesendet',
    failedHint:
      'Prüfen Sie Ihre Verbindung und senden Sie die Anfrage erneut ab. Was Sie geschrieben haben, ist noch da.',
  },
  submitted: {
    toast: 'Support-Anfrage abgesendet',
    toastText: 'Wir antworten innerhalb von 24 Stunden.',
    toastTarget: 'Wir bemühen uns um eine Antwort innerhalb von 24 Stunden.',
    title: 'Ihre Anfrage wurde abgesendet',
    text: 'Wir antworten innerhalb von 24 Stunden. Geben Sie diese Referenznummer an, wenn Sie dazu nachfragen.',
    textTarget:
      'Sie ist auf diesem Server gespeichert, und niemand wird per E-Mail über sie benachrichtigt. Geben Sie diese Referenznummer an, wenn Sie den Betreiber oder die Administration Ihrer Organisation danach fragen.',
  },
  reference: {
    label: 'Referenznummer',
    copy: (reference) => `Referenznummer ${reference} kopieren`,
    copied: 'Kopiert!',
    copyFailed: 'Die Referenznummer konnte nicht kopiert werden',
  },
  own: {
    title: 'Ihre Anfragen',
    lead: 'Nur für Sie und die Personen sichtbar, die sie beantworten.',
    empty: 'Noch keine Anfragen',
    notLoaded: 'Ihre Anfragen konnten nicht geladen werden.',
    sent: (date) => `Abgesendet am ${date}`,
  },
  categories,
  priorities,
  states,
  contact: {
    title: 'Kontakt',
    lead: 'Weitere Wege, Hilfe zu erhalten.',
    email: 'E-Mail',
    noEmail:
      'Auf diesem Server ist keine Support-Adresse eingerichtet. Verwenden Sie das Formular oder fragen Sie die Administration Ihrer Organisation.',
    chat: 'Live-Chat',
    chatHours: '9 bis 18 Uhr EST',
    chatNone:
      'In dieser Version gibt es noch keinen Live-Chat: Dies sind die vorgesehenen Zeiten. Das Formular können Sie jederzeit verwenden.',
    response: 'Antwortzeit',
    responseText: 'Innerhalb von 24 Stunden',
    responseTarget:
      'Das Ziel ist eine Antwort innerhalb von 24 Stunden. Auf diesem Server wird niemand per E-Mail über neue Anfragen benachrichtigt.',
  },
  docs: {
    title: 'Dokumentation',
    lead: 'Wo Sie mehr erfahren und Einstellungen ändern.',
    links: [
      {
        href: '/privacy-security',
        label: 'Datenschutz und Sicherheit',
        text: 'Was geschützt ist und was Sie ändern können.',
      },
      { href: '/settings', label: 'Einstellungen', text: 'Benachrichtigungen, Darstellung, Datum und Uhrzeit.' },
      {
        href: '/connection-management',
        label: 'Verbindungen verwalten',
        text: 'Codes, Verbindungen und Verifizierung.',
      },
      {
        href: '/account-settings',
        label: 'Kontoeinstellungen',
        text: 'Profil, Passwort, Konto-Wiederherstellungsschlüssel, angemeldete Browser.',
      },
      { href: '/threat-model', label: 'Bedrohungsmodell', text: 'Was abgedeckt ist und was nicht.' },
      { href: '/privacy', label: 'Datenschutz', text: 'Was dieser Server über Sie aufbewahrt, und wie lange.' },
      { href: '/terms', label: 'Nutzungsbedingungen', text: 'Die Nutzungsbedingungen von Privity.' },
      { href: '/about', label: 'Über Privity', text: 'Was Privity ist, seine Version und seine Lizenz.' },
    ],
    api: {
      href: '/api/docs',
      label: 'API-Referenz',
      text: 'Alle API-Aufrufe dieses Servers als OpenAPI 3.1 (JSON).',
    },
  },
  status: {
    title: 'Systemstatus',
    lead: 'Gerade gemessen, zwischen diesem Browser und dem Server.',
    server: 'Server',
    serverStates: {
      good: 'Funktioniert',
      warning: 'Funktioniert, mit einer Warnung',
      draining: 'Startet neu',
      critical: 'Datenbank oder Dateispeicher antwortet nicht',
      unreachable: 'Nicht erreichbar',
      checking: 'Wird geprüft ...',
    },
    live: 'Live-Verbindung',
    liveStates: {
      connected: 'Verbunden',
      connecting: 'Verbindung wird aufgebaut ...',
      disconnected: 'Getrennt',
    },
    version: 'Version des Servers',
    checkedAt: (time) => `Geprüft um ${time}`,
    check: 'Jetzt prüfen',
    checking: 'Wird geprüft ...',
  },
}
