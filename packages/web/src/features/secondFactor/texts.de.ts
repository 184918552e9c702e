import { limits } from '@privity/contract/limits'
import type { Translation } from '../../core/language.ts'
import type { secondFactorTexts as english } from './texts.ts'

export const secondFactorTexts: Translation<typeof english> = {
  title: 'Anmeldung in zwei Schritten',
  lead: 'Die Anmeldung verlangt dann Ihr Passwort und etwas, das Sie haben. Das schützt Ihr Konto hier; Ihre Nachrichten sind so oder so verschlüsselt.',
  loading: 'Anmeldung in zwei Schritten wird geladen ...',
  notLoaded: 'Die Anmeldung in zwei Schritten konnte nicht geladen werden.',
  fallback: 'Das hat nicht funktioniert. Versuchen Sie es erneut.',
  toggle: 'Anmeldung in zwei Schritten',
  on: 'Ein. Eine neue Anmeldung fragt nach Ihrem zweiten Faktor.',
  off: 'Aus. Ihr Passwort allein genügt zur Anmeldung.',
  app: {
    label: 'Authenticator-App',
    none: 'Eine App auf Ihrem Telefon, die alle 30 Sekunden einen neuen 6-stelligen Code anzeigt.',
    since: (date) => `Eingerichtet am ${date}.`,
    setUp: 'Einrichten',
    remove: 'Entfernen',
  },
  codes: {
    label: 'Wiederherstellungscodes',
    left: (count) =>
      count === 0
        ? 'Keine mehr übrig. Legen Sie neue an, bevor Sie Ihren zweiten Faktor verlieren.'
        : `${count} von ${limits.recoveryCodes} übrig. Jeder genügt für eine Anmeldung ohne Ihren zweiten Faktor.`,
    renew: 'Neue Codes',
  },
  passkeys: {
    label: 'Passkeys',
    hint: 'Ein Sicherheitsschlüssel oder die Sperre eines Geräts.',
    add: 'Passkey hinzufügen',
    list: 'Ihre Passkeys',
    added: (date) => `Hinzugefügt am ${date}`,
    used: (date) => `zuletzt verwendet am ${date}`,
    unused: 'noch nicht verwendet',
    elsewhere: 'gehört zu einer anderen Adresse dieses Servers',
    remove: 'Entfernen',
    removeNamed: (name) => `${name} entfernen`,
    address:
      'Passkeys brauchen einen Namen in der Adresse, und diese ist eine bloße IP-Adresse. Öffnen Sie Privity unter http://localhost statt http://127.0.0.1 oder unter seiner Domain.',
    insecure: 'Passkeys brauchen HTTPS. Öffnen Sie Privity unter seiner https://-Adresse.',
  },
  confirm: {
    password: 'Passwort',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    busy: 'Wird geprüft ...',
  },
  setUpApp: {
    title: 'Authenticator-App einrichten',
    why: 'Bestätigen Sie zuerst, dass Sie es sind.',
    proceed: 'Weiter',
    scan: 'Scannen Sie dies mit Ihrer Authenticator-App und geben Sie dann den Code ein, den sie anzeigt.',
    qr: 'QR-Code für Ihre Authenticator-App',
    manual: 'Keine Kamera? Geben Sie diesen Schlüssel in der App ein:',
    key: 'Schlüssel für Ihre Authenticator-App',
    copyKey: 'Schlüssel kopieren',
    switchOn: 'Einschalten',
    done: 'Die Anmeldung in zwei Schritten ist eingeschaltet.',
  },
  addPasskey: {
    title: 'Passkey hinzufügen',
    why: 'Bestätigen Sie zuerst, dass Sie es sind.',
    proceed: 'Weiter',
    lead: 'Geben Sie ihm einen Namen, an dem Sie ihn erkennen. Ihr Browser fragt dann nach dem Passkey.',
    name: 'Name',
    defaultName: (number) => `Passkey ${number}`,
    nameMissing: `Geben Sie einen Namen mit höchstens ${limits.passkeyNameCharacters} Zeichen ein.`,
    create: 'Passkey anlegen',
    busy: 'Ihr Passkey wird erwartet ...',
    done: 'Der Passkey wurde hinzugefügt.',
  },
  saveCodes: {
    title: 'Sichern Sie Ihre Wiederherstellungscodes',
    lead: 'Sie werden einmal angezeigt. Jeder genügt für eine Anmeldung, wenn Sie Ihren zweiten Faktor verlieren. Bewahren Sie sie getrennt von Ihren Geräten auf.',
    list: 'Wiederherstellungscodes',
    copy: 'Kopieren',
    copied: 'Kopiert!',
    copyFailed: 'Die Codes konnten nicht kopiert werden',
    copyFailedWhy: 'Laden Sie sie herunter oder schreiben Sie sie auf.',
    download: 'Herunterladen',
    fileName: (username) => `privity-wiederherstellungscodes-${username}.txt`,
    file: (username, codes) =>
      `Privity: Wiederherstellungscodes von ${username}\n\n${codes.join('\n')}\n\nJeder Code genügt für eine Anmeldung, zusammen mit Ihrem Passwort, anstelle Ihres zweiten Faktors.\n`,
    finish: 'Ich habe sie gesichert',
  },
  renew: {
    title: 'Neue Wiederherstellungscodes?',
    why: 'Die Codes, die Sie jetzt haben, gelten sofort nicht mehr.',
    submit: 'Neue Codes anlegen',
    done: 'Die alten Wiederherstellungscodes gelten nicht mehr.',
  },
  removeApp: {
    title: 'Authenticator-App entfernen?',
    why: 'Ihre Codes gelten sofort nicht mehr. Ihre Passkeys bleiben.',
    submit: 'Entfernen',
    done: 'Die Authenticator-App wurde entfernt.',
  },
  removePasskey: {
    title: (name) => `Den Passkey „${name}“ entfernen?`,
    why: 'Er gilt nicht mehr für die Anmeldung. Ist er Ihr letzter zweiter Faktor, wird die Anmeldung in zwei Schritten ausgeschaltet.',
    submit: 'Entfernen',
    done: 'Der Passkey wurde entfernt.',
  },
  switchOff: {
    title: 'Anmeldung in zwei Schritten ausschalten?',
    why: 'Ihr Passwort allein genügt dann zur Anmeldung. Die Authenticator-App, die Passkeys und die Wiederherstellungscodes werden entfernt.',
    submit: 'Ausschalten',
    done: 'Die Anmeldung in zwei Schritten ist ausgeschaltet.',
  },
  updated: 'Einstellung aktualisiert',
}
