import type { Translation } from '../../i18n/language.ts'
import type * as english from './texts.ts'

export const sessionEndTexts: Translation<typeof english.sessionEndTexts> = {
  reasons: {
    deactivated:
      'Ihr Konto wurde von der Administration deaktiviert. Sobald es wieder aktiviert ist, können Sie sich anmelden.',
    suspended:
      'Ihr Konto wurde vom Betreiber dieses Servers gesperrt. Sobald die Sperre aufgehoben ist, können Sie sich wieder anmelden.',
    deleted: 'Ihr Konto wurde von der Administration gelöscht.',
    second_factor_reset: 'Ihr zweiter Faktor wurde von der Administration zurückgesetzt. Melden Sie sich erneut an.',
    role_user: 'Ihre Rolle wurde von der Administration geändert: Mitglied. Melden Sie sich erneut an.',
    role_org_admin: 'Ihre Rolle wurde von der Administration geändert: Administrator. Melden Sie sich erneut an.',
    role_super_admin:
      'Ihre Rolle wurde von der Administration geändert: Hauptadministrator. Melden Sie sich erneut an.',
    browser_removed:
      'Sie haben einen Browser entfernt, der dieselbe Sitzung wie dieser benutzt hatte. Melden Sie sich erneut an.',
    browser_removed_elsewhere:
      'Ein anderer Browser hat diesen entfernt oder einen, der dieselbe Sitzung benutzt hatte. Melden Sie sich erneut an.',
    keys_not_opened:
      'Ihr Passwort und Ihre Schlüssel wurden ersetzt, aber dieser Browser konnte die neuen Schlüssel nicht öffnen. Melden Sie sich mit Ihrem neuen Passwort an.',
    STORAGE_FULL:
      'Der Server hat keinen Platz mehr. Es ist nichts verloren gegangen; laden Sie diese Seite später neu.',
  },
  other: 'Diese Sitzung wurde beendet. Melden Sie sich erneut an, um fortzufahren.',
}

export const openedLinkTexts: Translation<typeof english.openedLinkTexts> = {
  hint: 'Sie haben einen Link zum Verbinden geöffnet. Melden Sie sich an oder legen Sie ein Konto an: Der Code ist dann eingetragen.',
}
