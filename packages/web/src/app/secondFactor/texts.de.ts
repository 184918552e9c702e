import type { Translation } from '../../i18n/language.ts'
import type { proofTexts as english } from './texts.ts'

export const proofTexts: Translation<typeof english> = {
  password: 'Passwort',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  checking: 'Wird geprüft ...',
  fallback: 'Das hat nicht funktioniert. Versuchen Sie es erneut.',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint: 'Die 6 Ziffern, die sie jetzt für Privity anzeigt.',
  codeMissing: 'Geben Sie die 6 Ziffern ein, die Ihre Authenticator-App anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie aufbewahrt haben. Jeder gilt einmal.',
  recoveryCodeMissing: 'Geben Sie einen Ihrer Wiederherstellungscodes ein.',
  passkey: 'Ihr Browser fragt nach Ihrem Passkey: einem Sicherheitsschlüssel oder der Sperre dieses Geräts.',
  elsewhere: 'Ihre Passkeys gehören zu einer anderen Adresse dieses Servers und können hier nicht verwendet werden.',
  nothing: 'Sie haben hier nichts mehr, womit Sie bestätigen können. Wenden Sie sich an Ihre Administration.',
  use: {
    totp: 'Authenticator-App verwenden',
    passkey: 'Passkey verwenden',
    recoveryCode: 'Wiederherstellungscode verwenden',
  },
  cancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder auf einem anderen Weg.',
  unsupported: 'Dieser Browser kann keine Passkeys verwenden.',
  existing: 'Dieser Passkey ist bereits registriert.',
}
