import type { Translation } from '../../i18n/language.ts'
import type { memberTexts as english } from './texts.ts'

export const memberTexts: Translation<typeof english> = {
  nav: 'Konto',
  messages: 'Nachrichten',
  alarm: 'Prüfen Sie Ihr Konto',
  userMenu: (name) => `Benutzermenü, ${name}`,
  menu: 'Benutzermenü',
  admin: 'Admin',
  logout: 'Abmelden',
  connected: 'Verbunden',
  connecting: 'Verbindung wird aufgebaut ...',
  disconnected: 'Getrennt',
  trying: 'Neuer Versuch',
  lost: 'Die Live-Verbindung ist unterbrochen.',
  backAgain: 'Die Live-Verbindung besteht wieder.',
  entries: {
    account: 'Kontoeinstellungen',
    privacy: 'Datenschutz und Sicherheit',
    connections: 'Verbindungen verwalten',
    help: 'Hilfe und Support',
    settings: 'Einstellungen',
    about: 'Über Privity',
  },
}
