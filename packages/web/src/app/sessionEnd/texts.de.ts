import type { Translation } from '../../i18n/language.ts'
import type { sessionEndTexts as english } from './texts.ts'

export const sessionEndTexts: Translation<typeof english> = {
  reasons: {
    deactivated:
      'Ihr Konto wurde von der Administration deaktiviert. Sobald es wieder aktiviert ist, können Sie sich anmelden.',
    suspended:
      'Ihr Konto wurde vom Betreiber dieses Servers gesperrt. Sobald das aufgehoben ist, können Sie sich wieder anmelden.',
    deleted: 'Ihr Konto wurde von der Administration gelöscht.',
    second_factor_reset: 'Ihr zweiter Faktor wurde von der Administration zurückgesetzt. Melden Sie sich neu an.',
    role_user: 'Ihre Rolle wurde von der Administration geändert: Mitglied. Melden Sie sich neu an.',
    role_org_admin: 'Ihre Rolle wurde von der Administration geändert: Administrator. Melden Sie sich neu an.',
    role_super_admin: 'Ihre Rolle wurde von der Administration geändert: Hauptadministrator. Melden Sie sich neu an.',
  },
  other: 'Diese Sitzung wurde beendet. Melden Sie sich an, um fortzufahren.',
}
