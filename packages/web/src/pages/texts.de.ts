import type { Translation } from '../i18n/language.ts'
import { lifetime } from '../i18n/retention.ts'
import type * as english from './texts.ts'

export const pageTexts: Translation<typeof english.pageTexts> = {
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Unter dieser Adresse gibt es keine Seite. Prüfen Sie die Adresse oder gehen Sie zurück.',
    home: 'Zur Startseite',
    login: 'Zur Anmeldung',
  },
}

export const memberTexts: Translation<typeof english.memberTexts> = {
  nav: 'Konto',
  messages: 'Nachrichten',
  alarm: 'Sicherheitswarnung',
  userMenu: (name) => `Benutzermenü, ${name}`,
  menu: 'Benutzermenü',
  admin: 'Admin',
  logout: 'Abmelden',
  connected: 'Verbunden',
  connecting: 'Verbindung wird aufgebaut ...',
  disconnected: 'Getrennt',
  trying: 'Wird neu verbunden',
  lost: 'Die Live-Verbindung ist unterbrochen.',
  backAgain: 'Die Live-Verbindung ist wiederhergestellt.',
  entries: {
    account: 'Kontoeinstellungen',
    privacy: 'Datenschutz und Sicherheit',
    connections: 'Verbindungen verwalten',
    help: 'Hilfe und Support',
    settings: 'Einstellungen',
    about: 'Über Privity',
  },
}

export const dashboardTexts: Translation<typeof english.dashboardTexts> = {
  title: 'Nachrichten',
  factor: {
    announced: (date) => `Ab ${date} verlangt Ihre Organisation die Zwei-Faktor-Authentifizierung.`,
    setUpNow: 'Jetzt einrichten',
  },
  skip: 'Zum Gespräch springen',
  connections: 'Verbindungen',
  findColleague: 'Mitglied suchen',
  pairing: 'Ihr Verbindungscode, Verbinden',
  back: 'Zurück zu den Verbindungen',
  online: 'Online',
  encrypted: 'Ende-zu-Ende-verschlüsselt',
  video: 'Videoanruf',
  voice: 'Sprachanruf',
  calls: 'Videoanruf und Sprachanruf',
  noCalls: 'Anrufe sind noch nicht verfügbar',
  info: 'Info',
  find: 'Im Gespräch suchen',
  findShortcut: 'Strg+Umschalt+F',
  noVideo: 'Videoanrufe sind noch nicht verfügbar',
  noVoice: 'Sprachanrufe sind noch nicht verfügbar',
  noCallsHint: 'Sie können Nachrichten und Dateien senden.',
  assurances: [
    { title: 'Ende-zu-Ende-verschlüsselt', text: '256-Bit-Schlüssel. Der Server hat keinen, den er verwenden kann.' },
    { title: `Nach ${lifetime.de} gelöscht`, text: 'Nachrichten werden fortlaufend gelöscht, Verbindungen bleiben.' },
    { title: 'Freigegebene Downloads', text: 'Der Absender entscheidet; jede Freigabe erlaubt 3.' },
  ],
}

export const adminTexts: Translation<typeof english.adminTexts> = {
  title: 'Verwaltung der Organisation',
  subtitle: (name, type) => `${name} · ${type}`,
  messages: 'Nachrichten',
  denied: 'Kein Zugriff',
  deniedWhy: 'Sie sind nicht berechtigt, die Verwaltung zu öffnen.',
  tabs: 'Organisation',
  users: 'Benutzerverwaltung',
  audit: 'Audit-Protokoll',
  overview: 'Überblick',
}
