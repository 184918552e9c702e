import { limits } from '@privity/contract/limits'
import type { Translation } from '../../i18n/language.ts'
import { formatLongDay } from '../../i18n/dateTime.ts'
import type { authTexts as english } from './texts.ts'
import { lifetime } from '../../i18n/retention.ts'

const roles = { user: 'Mitglied', org_admin: 'Administrator', super_admin: 'Hauptadministrator' }
const attempts = limits.failedSignIns

export const authTexts: Translation<typeof english> = {
  side: {
    tagline: 'Nur zwischen Ihnen beiden.',
    features: [
      { title: 'Ein eigener Verbindungscode', text: 'Er gilt, bis Sie ihn ersetzen. Einmal verbinden genügt.' },
      { title: 'Nachrichten, die verschwinden', text: `Nach ${lifetime.de} auf beiden Seiten gelöscht.` },
      { title: 'Dateien unter Kontrolle des Absenders', text: 'Bis zu 3 Downloads je Freigabe.' },
    ],
    foot: 'Ende-zu-Ende-verschlüsselt. 256 Bit. Zero Knowledge: Der Server kann keinen Inhalt lesen. Er sieht, wer wem wann schreibt.',
  },
  fields: {
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail',
    username: 'Benutzername',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    confirmPassword: 'Neues Passwort bestätigen',
  },
  deriving: 'Ihr Schlüssel wird abgeleitet ...',
  signIn: {
    page: 'Anmelden',
    title: 'Anmelden',
    lead: 'Ihr Passwort entsperrt Ihre Schlüssel auf diesem Gerät. Es wird nie übertragen.',
    demoLead: 'Die Demo-Zugangsdaten sind ausgefüllt. Sie gelten, bis jemand das Passwort dieses Kontos ändert.',
    demoOther: 'Um beide Seiten auszuprobieren, öffnen Sie einen zweiten Browser und',
    demoSwap: 'verwenden Sie das andere Demo-Konto',
    sharedComputer: 'Diesen Computer benutzen auch andere',
    sharedComputerHint:
      'Dieser Browser speichert nichts von Ihnen, und die Sitzung endet mit dem Fenster. Deshalb kann er beim nächsten Mal nicht vor alten Schlüsseln warnen, und Neuladen verwirft Entwürfe und nicht gesendete Nachrichten.',
    submit: 'Anmelden',
    busy: 'Anmeldung läuft ...',
    forgot: 'Passwort vergessen?',
    swap: 'Neu bei Privity?',
    toSignUp: 'Konto anlegen',
    usernameMissing: 'Geben Sie Ihren Benutzernamen ein.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    done: 'Anmeldung erfolgreich!',
    failed: 'Anmeldung fehlgeschlagen',
    fallback: 'Die Anmeldung ist fehlgeschlagen.',
  },
  secondFactor: {
    title: 'Zwei-Faktor-Authentifizierung',
    lead: 'Ihr Passwort ist richtig. Bestätigen Sie mit Ihrem zweiten Faktor.',
    submit: { totp: 'Bestätigen', recoveryCode: 'Bestätigen', passkey: 'Passkey verwenden' },
    back: 'Zurück',
  },
  signUp: {
    page: 'Konto anlegen',
    title: 'Konto anlegen',
    lead: 'Ihre Schlüssel werden auf diesem Gerät erstellt. Danach erhalten Sie Ihren Verbindungscode.',
    hint: `Wählen Sie ein Passwort, das Sie sich merken können: ${attempts === 5 ? 'Fünf' : attempts} Fehlversuche sperren Ihr Konto.`,
    submit: 'Konto anlegen',
    busy: 'Ihr Konto wird angelegt ...',
    swap: 'Haben Sie schon ein Konto?',
    toSignIn: 'Anmelden',
    done: 'Konto erfolgreich angelegt!',
    failed: 'Registrierung fehlgeschlagen',
    fallback: 'Die Registrierung ist fehlgeschlagen.',
  },
  invitation: {
    checking: 'Ihre Einladung wird geprüft ...',
    unchecked: 'Ihre Einladung konnte gerade nicht geprüft werden. Sie wird geprüft, wenn Sie Ihr Konto anlegen.',
    lead: ({ organization, role, expiresAt }) =>
      `Sie wurden als ${roles[role]} zu „${organization}“ eingeladen.${expiresAt === null ? '' : ` Die Einladung gilt bis ${formatLongDay(expiresAt)}.`} Ihre Schlüssel werden auf diesem Gerät erstellt.`,
    invalid: 'Diese Einladung gilt nicht mehr',
    invalidWhy: 'Sie wurde verwendet oder widerrufen oder ist abgelaufen. Bitten Sie um eine neue.',
    without: 'Ein Konto ohne die Einladung anlegen',
    signedIn: 'Sie sind bereits angemeldet',
    signedInWhy:
      'Ihre Einladung ist für ein neues Konto und wurde nicht verwendet. Melden Sie sich ab, um sie in diesem Tab zu nutzen.',
  },
  welcomeBack: (username) => `Willkommen zurück, ${username}!`,
  welcome: (username) => `Willkommen bei Privity, ${username}!`,
  errors: {
    firstName: 'Geben Sie Ihren Vornamen ein, höchstens 64 Zeichen.',
    lastName: 'Geben Sie Ihren Nachnamen ein, höchstens 64 Zeichen.',
    marks:
      'Geben Sie Ihren Namen in einer Zeile ein, ohne Zeichen für die Schreibrichtung und ohne E-Mail-Kopfzeilen wie „From:“.',
    email: 'Geben Sie die vollständige Adresse ein, zum Beispiel name@example.com.',
    username: 'Verwenden Sie 3 bis 32 Buchstaben, Ziffern, Punkte, Unterstriche oder Bindestriche.',
    invalid: 'Diese Angabe ist nicht gültig. Prüfen Sie sie und versuchen Sie es erneut.',
    confirm: 'Die Passwörter stimmen nicht überein.',
  },
  reset: {
    page: 'Passwort zurücksetzen',
    title: 'Passwort zurücksetzen',
    lead: 'Ihr Konto-Wiederherstellungsschlüssel entsperrt Ihre Schlüssel. Alle Ihre anderen Sitzungen werden beendet.',
    submit: 'Neues Passwort festlegen',
    busy: 'Ihr neues Passwort wird festgelegt ...',
    back: 'Zurück zur Anmeldung',
    done: 'Passwort geändert',
    failed: 'Passwort nicht geändert',
    secondFactorLead:
      'Ihr Konto-Wiederherstellungsschlüssel ist richtig. Bestätigen Sie mit Ihrem zweiten Faktor, um Ihr neues Passwort festzulegen.',
    expired:
      'Das hat zu lange gedauert, oder Ihr Konto hat sich seither geändert. Ihr Passwort wurde nicht geändert. Versuchen Sie es erneut.',
    fallback: 'Das Passwort konnte nicht geändert werden. Versuchen Sie es erneut.',
  },
  unlock: {
    page: 'Gesperrt',
    title: 'Gesperrt',
    lead: (name) => `${name} ist angemeldet. Dieser Browser hat keine Schlüssel, bis Sie Ihr Passwort eingeben.`,
    submit: 'Entsperren',
    busy: 'Wird entsperrt ...',
    failed: 'Nicht entsperrt',
    fallback: 'Dieses Passwort entsperrt Ihre Schlüssel nicht.',
    logout: 'Abmelden',
    back: 'Zurück zum Entsperren',
  },
}
