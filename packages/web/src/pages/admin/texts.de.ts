import type { Translation } from '../../i18n/language.ts'
import type { adminTexts as english } from './texts.ts'

export const adminTexts: Translation<typeof english> = {
  title: 'Verwaltung der Organisation',
  subtitle: (name, type) => `${name} · ${type}`,
  messages: 'Nachrichten',
  denied: 'Kein Zugriff',
  deniedWhy: 'Sie dürfen die Verwaltung nicht öffnen.',
  tabs: 'Organisation',
  users: 'Benutzerverwaltung',
  audit: 'Audit-Protokoll',
  overview: 'Überblick',
}
