import { limits } from '@privity/contract/limits'
import type { Preferences } from '@privity/contract/preferences'
import type { Translation } from '../../i18n/language.ts'
import type { preferenceTexts as english } from './texts.ts'

const theme: Record<Preferences['theme'], string> = { light: 'Hell', dark: 'Dunkel', system: 'System' }
const fontSize: Record<Preferences['fontSize'], string> = { small: 'Klein', medium: 'Mittel', large: 'Groß' }
const timeFormat: Record<Preferences['timeFormat'], string> = { '12h': '12 Std.', '24h': '24 Std.' }

export const preferenceTexts: Translation<typeof english> = {
  title: 'Einstellungen',
  notifications: { title: 'Benachrichtigungen', lead: 'Benachrichtigungen enthalten nie den Text einer Nachricht.' },
  appearance: { title: 'Darstellung', lead: 'Gilt in jedem Browser, in dem Sie sich anmelden.' },
  regional: { title: 'Sprache und Region', lead: 'Die Sprache und das Format von Datum und Uhrzeit.' },
  performance: { title: 'Leistung', lead: 'Nützlich bei langsamer Verbindung oder begrenztem Datenvolumen.' },
  writing: { title: 'Schreiben', lead: 'Das Feld, in dem Sie Nachrichten schreiben.' },
  files: { title: 'Dateien', lead: 'Ein Kontakt lädt eine Datei nur mit Ihrer Freigabe herunter.' },
  switches: {
    pushNotifications: {
      label: 'Push-Benachrichtigungen',
      hint: 'Werden in den Browsern angezeigt, in denen Sie sie erlaubt haben.',
    },
    messageNotifications: {
      label: 'Benachrichtigungen über Nachrichten',
      hint: 'Wenn jemand Ihnen schreibt oder eine Datei anfragt.',
    },
    connectionNotifications: {
      label: 'Benachrichtigungen über Verbindungen',
      hint: 'Wenn Ihr Code verwendet wird.',
    },
    soundEnabled: { label: 'Ton', hint: 'Ein kurzer Ton bei jeder Benachrichtigung.' },
    compactMode: {
      label: 'Kompakte Ansicht',
      hint: 'Niedrigere Zeilen und kleinere Bedienelemente. Berührungsflächen bleiben 44 px groß.',
    },
    animationsEnabled: {
      label: 'Animationen',
      hint: 'Auch aus, wenn in Ihrem System „Bewegung reduzieren“ eingestellt ist.',
    },
    autoSync: {
      label: 'Automatisch abgleichen',
      hint: 'Neue Nachrichten anzeigen, sobald sie eintreffen. Aus: Sie werden gezählt und angezeigt, wenn Sie „Neue Nachrichten laden“ drücken.',
    },
    backgroundSync: {
      label: 'Im Hintergrund abgleichen',
      hint: 'Auf dem neuesten Stand bleiben, während der Tab verborgen ist. Aus: Ein verborgener Tab geht offline und zeigt keine Benachrichtigungen.',
    },
    preloadMessages: {
      label: 'Nachrichten vorab laden',
      hint: 'Ihre neuesten Gespräche im Voraus abrufen und entschlüsseln, damit sie sich ohne Verzögerung öffnen.',
    },
    enterBreaksLine: {
      label: 'Eingabetaste macht eine neue Zeile',
      hint: 'Strg+Eingabe oder Cmd+Eingabe sendet. Aus: Die Eingabetaste sendet, Umschalt+Eingabe macht eine neue Zeile.',
    },
    approveAtSending: {
      label: 'Beim Senden freigeben',
      hint: `Jede Datei, die Sie senden, ist sofort freigegeben: bis zu ${limits.downloadsPerAuthorization} Downloads ohne Anfrage. Sie können das widerrufen. Für ein einzelnes Gespräch ändern Sie es in den Optionen für das Hochladen.`,
    },
  },
  email: {
    label: 'Benachrichtigungen per E-Mail',
    hint: 'Eine E-Mail, wenn eine Nachricht bald ungelesen verschwindet: ohne Absender und Text, eine, bis Sie zurück sind, und nicht, solange einer Ihrer Browser Push-Benachrichtigungen hat. E-Mails zur Sicherheit Ihres Kontos hängen nicht von diesem Schalter ab.',
    none: 'Nicht verfügbar: Dieser Server versendet keine E-Mails.',
  },
  compression: {
    label: 'Datenkomprimierung',
    hint: 'Für die Anwendung selbst immer eingeschaltet. Nachrichten und Dateien werden nie komprimiert: Verschlüsselte Daten werden dadurch nicht kleiner, und vor der Verschlüsselung zu komprimieren könnte durch die Länge etwas über den Inhalt verraten.',
  },
  theme: 'Farbschema',
  themes: theme,
  fontSize: 'Schriftgröße',
  fontSizes: fontSize,
  language: 'Sprache',
  dateFormat: 'Datumsformat',
  today: (date) => `Heute ist ${date}.`,
  timeFormat: 'Zeitformat',
  timeFormats: timeFormat,
  now: (time) => `Es ist ${time}.`,
  unsaved: 'Sie haben ungespeicherte Änderungen.',
  save: 'Änderungen speichern',
  cancel: 'Abbrechen',
  saved: 'Einstellungen gespeichert',
  savedHint: 'Ihre Einstellungen wurden aktualisiert.',
  notLoaded: 'Ihre Einstellungen konnten nicht geladen werden.',
  leave: {
    title: 'Seite verlassen, ohne zu speichern?',
    hint: 'Ihre Änderungen an den Einstellungen sind noch nicht gespeichert.',
    confirm: 'Verlassen',
    stay: 'Bleiben',
  },
}
