import type { Translation } from '../../../i18n/language.ts'
import type { secretsTexts as english } from './texts.ts'

export const secretsTexts: Translation<typeof english> = {
  title: 'Wofür welches Geheimnis da ist',
  lead: 'Sechs Dinge, die leicht verwechselt werden. Die ersten vier lassen Sie hinein, die letzten zwei gelten zwischen Ihnen und Ihren Kontakten.',
  drawing:
    'Passwort und Passkey oder Authenticator-App führen zusammen in Ihr Konto. Wenn Sie das Passwort vergessen haben, tritt der Konto-Wiederherstellungsschlüssel an seine Stelle; wenn Passkey oder App verloren sind, ein Backup-Code. Zwischen Ihnen und einem Kontakt: Der Verbindungscode stellt die Verbindung her, und die Sicherheitsnummer wird auf beiden Seiten verglichen.',
  boxes: {
    password: ['Passwort'],
    factor: ['Passkey oder App'],
    recoveryKey: ['Konto-Wiederher-', 'stellungsschlüssel'],
    backupCode: ['Backup-Code'],
    account: 'Ihr Konto',
    you: 'Sie',
    contact: 'Kontakt',
    code: 'Verbindungscode',
    safetyNumber: 'Sicherheitsnummer',
  },
  forgotten: 'vergessen?',
  lost: 'verloren?',
  keepLabel: 'Aufbewahren',
  lostLabel: 'Wenn verloren',
  items: [
    {
      name: 'Passwort',
      purpose: 'Damit melden Sie sich an, und es entsperrt Ihre Schlüssel im Browser.',
      keep: 'Im Kopf oder in einem Passwortmanager.',
      lost: 'Legen Sie mit Ihrem Konto-Wiederherstellungsschlüssel ein neues fest, unter Passwort vergessen?',
    },
    {
      name: 'Konto-Wiederherstellungsschlüssel',
      purpose: 'Mit ihm legen Sie ein neues Passwort fest, wenn Sie Ihres vergessen haben.',
      keep: 'Auf Papier, bei Ihren wichtigen Unterlagen.',
      lost: 'Erstellen Sie unter Kontoeinstellungen einen neuen, solange Sie Ihr Passwort noch wissen.',
    },
    {
      name: 'Passkey oder Authenticator-App',
      purpose: 'Der zweite Faktor: Sie weisen ihn nach Ihrem Passwort vor.',
      keep: 'Auf Ihrem Telefon oder als Sicherheitsschlüssel am Schlüsselbund.',
      lost: 'Melden Sie sich mit einem Backup-Code an und richten Sie unter Datenschutz und Sicherheit einen anderen ein.',
    },
    {
      name: 'Backup-Codes',
      purpose: 'Jeder von ihnen ersetzt ein Mal den zweiten Faktor.',
      keep: 'Auf Papier, getrennt von Ihrem Telefon.',
      lost: 'Erstellen Sie unter Datenschutz und Sicherheit neue. Ist auch der zweite Faktor verloren, wenden Sie sich an die Administration Ihrer Organisation.',
    },
    {
      name: 'Verbindungscode',
      purpose: 'Mit ihm verbinden sich andere mit Ihnen. Geben Sie ihn allen, von denen Sie hören möchten.',
      keep: 'Vor ihnen ist er kein Geheimnis.',
      lost: 'Er steht auf der Seite Nachrichten. Ersetzen können Sie ihn in der Verbindungsverwaltung.',
    },
    {
      name: 'Sicherheitsnummer',
      purpose:
        'Vergleichen Sie sie mit einem Kontakt am Telefon oder persönlich. Ist sie auf beiden Seiten gleich, haben Sie gegenseitig Ihre Schlüssel.',
      keep: 'Nicht nötig: Info in einem Gespräch zeigt sie an.',
      lost: 'Hat sie sich geändert, vergleichen Sie sie erneut, bevor Sie weiterschreiben.',
    },
  ],
}
