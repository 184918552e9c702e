import type { ExportFacts } from '@privity/client'
import type { Translation } from '../../i18n/language.ts'
import type { privacyTexts as english } from './texts.ts'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

const readme = (facts: ExportFacts, time: string) => `PRIVITY-DATENEXPORT
Konto:    ${facts.username}
Erstellt: ${time}

Diese Datei wurde in Ihrem Browser zusammengestellt. Der Server hat geliefert, was er über Ihr Konto gespeichert hat;
die Nachrichten wurden mit den Schlüsseln in Ihrem Browser entschlüsselt, und weder die Texte noch diese Datei wurden an
den Server gesendet.

WAS DARIN IST
profile.json      Ihr Name, Ihre E-Mail-Adresse, Ihr Benutzername, Verbindungscode, Ihre Rolle und Organisation
preferences.json  was Sie unter Einstellungen sowie Datenschutz und Sicherheit festgelegt haben
sessions.json     die Browser, die in Ihrem Konto angemeldet sind
browsers.json     die Browser, die Ihr Konto geöffnet haben, mit erster und letzter Nutzung
activity.json     die neuesten 1.000 Einträge über Ihre Aktivitäten im Audit-Protokoll des Servers
connections.json  Ihre Kontakte, seit wann, ob verifiziert, und die Entwürfe in diesem Browser
files.json        die Dateien, die Sie gesendet haben und die es noch gibt: Name, Typ, Größe, Empfänger
conversations/    zu jedem Kontakt die Nachrichten, die es zu dieser Zeit noch gab, als messages.json für Programme
                  und messages.html zum Lesen: ${count(facts.conversations, 'Gespräch', 'Gespräche')}, ${count(facts.messages, 'Nachricht', 'Nachrichten')}

WAS NICHT DARIN IST
- Schlüssel, Passwörter und der Konto-Wiederherstellungsschlüssel. Mit dieser Datei kann niemand sich anmelden oder etwas
  öffnen.
- Nachrichten, die schon abgelaufen waren. Sie sind gelöscht, auch vom Server.
- Der Inhalt von Dateien. Laden Sie sie aus dem Gespräch herunter, solange es sie gibt.
- Was andere einander geschrieben haben, und alles über andere Mitglieder, was Sie nicht selbst von ihnen sehen.

Die Zeiten in den .json-Dateien sind in UTC. Diese Datei ist nicht verschlüsselt und verschwindet nicht: Bewahren Sie
sie sicher auf und löschen Sie sie, wenn Sie sie nicht mehr brauchen.
`

const exportTexts: Translation<(typeof english)['export']> = {
  label: 'Meine Daten exportieren',
  hint: 'Eine ZIP-Datei, in diesem Browser erstellt: Profil, Einstellungen, Sitzungen, Aktivitäten, Verbindungen, Ihre aktuellen Nachrichten und Angaben zu Ihren Dateien. Keine Schlüssel. Sie bleibt lesbar, nachdem die Nachrichten abgelaufen sind: Bewahren Sie sie sicher auf.',
  offHint: 'Schalten Sie zuerst Datendownloads ein.',
  request: 'Daten exportieren',
  requested: 'Datenexport angefordert',
  requestedHint:
    'Fertig innerhalb von 24 Stunden, meist sofort. Sie erhalten einen Hinweis per E-Mail, wenn dieser Server E-Mails versendet.',
  failed: 'Datenexport fehlgeschlagen',
  failedHint: 'Es wurde nichts gespeichert. Versuchen Sie es erneut.',
  preparing: 'Ihre Daten werden zusammengestellt ...',
  progress: ({ conversations, of, messages }) =>
    `${conversations} von ${count(of, 'Gespräch', 'Gesprächen')}, ${count(messages, 'Nachricht', 'Nachrichten')}`,
  bar: 'Datenexport',
  cancel: 'Abbrechen',
  cancelled: 'Abgebrochen. Es wurde nichts gespeichert.',
  saved: (name, { conversations, messages }) =>
    `Gespeichert als ${name}: ${count(conversations, 'Gespräch', 'Gespräche')}, ${count(messages, 'Nachricht', 'Nachrichten')}.`,
  language: 'de',
  readme,
  deleted: 'Nachricht gelöscht',
  conversationWith: (name) => `Gespräch mit ${name}`,
  madeAt: (time) => `Stand: ${time}`,
  you: 'Sie',
  empty: 'Zu diesem Zeitpunkt gab es keine Nachrichten.',
  file: (name, size) => `Datei: ${name} (${size})`,
}

const statusTexts: Translation<(typeof english)['status']> = {
  title: 'Sicherheitsstatus',
  lead: 'Der aktuelle Sicherheitsstand Ihres Kontos, soweit dieser Browser und der Server ihn kennen.',
  list: 'Sicherheitsstatus',
  good: 'Gut',
  attention: 'Handlungsbedarf',
  summary: (open) =>
    open === 0
      ? 'Kein Punkt erfordert Ihre Aufmerksamkeit.'
      : `${count(open, 'Punkt erfordert', 'Punkte erfordern')} Ihre Aufmerksamkeit.`,
  notLoaded: 'Der Sicherheitsstatus konnte nicht geladen werden.',
  secondFactor: 'Zwei-Faktor-Authentifizierung',
  secondFactorOn: 'Die Anmeldung erfordert zusätzlich zum Passwort einen zweiten Faktor.',
  secondFactorOff:
    'Wer Ihr Passwort hat, kann sich anmelden. Fügen Sie eine Authenticator-App oder einen Passkey hinzu.',
  setUp: 'Einrichten',
  fewCodes: (n) => `${count(n, 'Backup-Code ist', 'Backup-Codes sind')} übrig. Erstellen Sie neue, bevor sie ausgehen.`,
  renewCodes: 'Neue Codes erstellen',
  recoveryKey: 'Konto-Wiederherstellungsschlüssel',
  recoveryKeyOf: (date) => `Ihr aktueller Schlüssel wurde am ${date} erstellt.`,
  recoveryKeyOld: (date) =>
    `Ihr aktueller Schlüssel wurde am ${date} erstellt. Vergewissern Sie sich, dass Sie ihn noch haben, oder erneuern Sie ihn.`,
  recoveryKeyUnsaved:
    'Sie haben nicht bestätigt, dass Sie ihn gesichert haben. Erstellen Sie einen neuen für den Fall, dass Sie Ihr Passwort vergessen.',
  renew: 'Schlüssel erneuern',
  contacts: 'Verifizierte Kontakte',
  noContacts: 'Sie haben noch keine Verbindungen.',
  allVerified: (n) =>
    `Sie haben die Sicherheitsnummern mit ${n === 1 ? 'Ihrem Kontakt' : `allen ${n} Kontakten`} verglichen.`,
  unverified: (n, of) =>
    `${n} von ${count(of, 'Kontakt', 'Kontakten')} ${n === 1 ? 'ist' : 'sind'} nicht verifiziert. Vergleichen Sie die Sicherheitsnummern.`,
  verify: 'Verbindungen anzeigen',
  keys: 'Schlüssel Ihrer Kontakte',
  keysSame: 'Alle Kontakte haben die Schlüssel, die Sie angenommen haben.',
  keysChanged: (n) =>
    `Der Schlüssel von ${count(n, 'Kontakt', 'Kontakten')} hat sich geändert. Es wird nichts gesendet, bis Sie ihn geprüft haben.`,
  review: 'Schlüssel prüfen',
  sessions: 'Angemeldete Browser',
  onlyThis: 'Nur dieser Browser ist angemeldet.',
  others: (n, date) => `${count(n, 'andere Sitzung', 'andere Sitzungen')}, die älteste seit ${date}.`,
  othersOld: (n, date) =>
    `${count(n, 'andere Sitzung', 'andere Sitzungen')}, die älteste seit ${date}. Beenden Sie die, die Sie nicht verwenden.`,
  manage: 'Sitzungen verwalten',
  failures: 'Fehlgeschlagene Anmeldungen',
  noFailures: 'Keine in den letzten 30 Tagen.',
  failed: (n, time, address) =>
    `${count(n, 'falsches Passwort', 'falsche Passwörter')} in den letzten 30 Tagen, zuletzt am ${time}${address && ` von ${address}`}. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.`,
  noFailuresSince: (time) => `Keine seit ${time}.`,
  changePassword: 'Passwort ändern',
  settle: 'Das war ich',
  settled: 'Ab jetzt zählen nur neue fehlgeschlagene Anmeldungen.',
  notSettled: 'Das konnte nicht gespeichert werden',
  timeout: 'Sitzungsablauf',
  timeoutOn: 'Ein Browser, der 24 Stunden nicht verwendet wird, wird abgemeldet.',
  timeoutOff: 'Ein Browser, der nicht verwendet wird, bleibt 30 Tage lang angemeldet.',
  switchOn: 'Zur Einstellung',
  logins: 'Benachrichtigungen über Anmeldungen',
  loginsOn: 'Sie werden über neue Anmeldungen in Ihrem Konto benachrichtigt.',
  loginsOff: 'Sie werden nicht über neue Anmeldungen in Ihrem Konto benachrichtigt.',
  storage: 'Schlüssel in diesem Browser',
  storageKept:
    'Dieser Browser bewahrt Ihre Schlüssel verschlüsselt auf. Die Hälfte dessen, was sie öffnet, hat der Server.',
  storageMayGo:
    'Dieser Browser kann seinen Speicher leeren, wenn der Platz knapp wird; Sie müssten dann Ihr Passwort erneut eingeben.',
  storageUnsafe: 'Diese Seite wurde nicht über eine sichere Verbindung geladen. Verwenden Sie HTTPS.',
  keep: 'Den Browser bitten, sie zu behalten',
  notKept: 'Der Browser hat abgelehnt',
  notKeptHint:
    'Browser entscheiden selbst darüber und stimmen meist zu, wenn Sie eine Website schon eine Weile verwenden.',
}

export const privacyTexts: Translation<typeof english> = {
  title: 'Datenschutz und Sicherheit',
  lead: 'Was andere von Ihnen sehen, wie Ihr Konto geschützt ist, und eine Kopie Ihrer Daten.',
  updated: 'Einstellung aktualisiert',
  byOrganization: 'Von Ihrer Organisation festgelegt.',
  notLoaded: 'Ihre Einstellungen konnten nicht geladen werden.',
  security: {
    title: 'Sicherheit',
    messageEncryption: 'Verschlüsselung der Nachrichten',
    messageEncryptionHint:
      'Nachrichten und Dateien werden immer in Ihrem Browser verschlüsselt. Das lässt sich nicht ausschalten.',
    screenshotProtection: 'Schutz vor Bildschirmaufnahmen',
    screenshotProtectionHint:
      'Erschwert Bildschirmaufnahmen und Drucken, während Sie angemeldet sind; verhindern kann er sie nicht. Was er bemerkt, wird protokolliert, bei Kopieren, Ziehen von Seiteninhalten und Verbergen der Seite ohne Hinweis. Was Sie lesen oder schreiben, wird nie protokolliert.',
    sessionTimeout: 'Sitzungsablauf',
    sessionTimeoutHint: 'Meldet einen Browser nach 24 Stunden ohne Verwendung ab. Aus: nach 30 Tagen.',
    loginNotifications: 'Benachrichtigungen über Anmeldungen',
    loginNotificationsHint:
      'Benachrichtigt Ihre anderen Sitzungen über neue Anmeldungen, und Sie per E-Mail, wenn der Browser neu ist und dieser Server E-Mails versendet.',
  },
  privacy: {
    title: 'Privatsphäre',
    lead: 'Änderungen wirken sich für Ihre Kontakte sofort aus.',
    readReceipts: 'Lesebestätigungen',
    readReceiptsHint:
      'Sie und Ihre Kontakte sehen, welche Nachrichten gelesen wurden. Aus: Keine der beiden Seiten sieht es, und inzwischen gelesene Nachrichten werden auch später nicht gemeldet. „Zugestellt“ wird weiterhin angezeigt.',
    onlineStatus: 'Online-Status',
    onlineStatusHint:
      'Sie und Ihre Kontakte sehen, wann die andere Seite online ist. Aus: Keine der beiden Seiten sieht es. Eine Nachricht, die zu „Zugestellt“ wechselt, kann ihrem Absender weiterhin verraten, dass Sie online sind.',
    profileVisibility: 'Sichtbarkeit des Profils',
    profileVisibilityHint:
      'Kontakte sehen Ihre E-Mail-Adresse und Ihren Benutzernamen. Aus: nur Ihren Namen. Die Administration Ihrer Organisation sieht sie immer.',
  },
  data: {
    title: 'Ihre Daten',
    lead: 'Jeder Export steht im Audit-Protokoll.',
    dataDownloads: 'Datendownloads',
    dataDownloadsHint: 'Erlaubt Exporte Ihrer Daten aus diesem Konto. Zum Einschalten geben Sie Ihr Passwort ein.',
    dialog: 'Datendownloads einschalten',
    dialogHint:
      'Wer einen Browser benutzt, in dem Sie angemeldet sind, könnte dann Ihre Nachrichten exportieren. Geben Sie Ihr Passwort ein, um fortzufahren.',
    password: 'Passwort',
    passwordMissing: 'Geben Sie Ihr Passwort ein',
    confirm: 'Einschalten',
    checking: 'Wird geprüft ...',
    cancel: 'Abbrechen',
  },
  export: exportTexts,
  status: statusTexts,
}
