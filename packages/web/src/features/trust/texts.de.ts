import type { Translation } from '../../i18n/language.ts'
import type { trustTexts as english } from './texts.ts'

export const trustTexts: Translation<typeof english> = {
  verified: 'Verifiziert',
  unverified: 'Nicht verifiziert',
  linked: 'Durch Link bestätigt',
  changed: 'Schlüssel geändert',
  pausedTitle: (firstName) => `Das Senden an ${firstName} ist angehalten.`,
  pausedHint: 'Sie haben festgestellt, dass die Sicherheitsnummern nicht übereinstimmen.',
  resume: 'Senden fortsetzen',
  resumed: (firstName) => `Das Senden an ${firstName} wurde fortgesetzt`,
  saveFailed: 'Das konnte nicht gespeichert werden',
  changedAlert: (firstName) => `Der Schlüssel von ${firstName} hat sich geändert.`,
  changedHint: 'Das Senden ist angehalten, bis Sie ihn geprüft haben.',
  review: 'Prüfen',
  unmet: (firstName) => `Dieser Browser begegnet ${firstName} zum ersten Mal.`,
  unmetWhy: (firstName) =>
    `Er hat keinen früheren Schlüssel zum Vergleich: Der Server könnte einen anderen als den von ${firstName} zeigen.`,
  compare: 'Vergleichen',
  continue: 'Fortfahren',
  met: (firstName) => `Sie können ${firstName} schreiben`,
  renamed: (before, now) => `${before} heißt jetzt ${now}.`,
  renamedWhy: 'Ist das noch die Person, die Sie verifiziert haben?',
  keepVerified: 'Verifiziert lassen',
  kept: (firstName) => `${firstName} bleibt verifiziert`,
  verifyAgain: 'Erneut verifizieren',
}
