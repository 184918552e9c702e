import { limits } from '@privity/contract/limits'
import type { Translation } from '../../../i18n/language.ts'
import type { authorizationTexts as english } from './texts.ts'

export const authorizationTexts: Translation<typeof english> = {
  dialogTitle: 'Anfragen zur Dateifreigabe',
  dialogHint: `Geben Sie Downloads nur für vertrauenswürdige Kontakte frei. Eine Freigabe erlaubt bis zu ${limits.downloadsPerAuthorization} Downloads.`,
  dialogEmpty: 'Keine offenen Anfragen',
  dialogEmptyHint: 'Wenn jemand eine Ihrer Dateien anfragt, entscheiden Sie hier darüber.',
  logged: 'Alle Aktionen werden protokolliert.',
  close: 'Schließen',
  keyChanged: 'Der Schlüssel dieser Person hat sich geändert. Prüfen Sie ihn, bevor Sie freigeben.',
  reviewKey: 'Schlüssel prüfen',
  deny: 'Ablehnen',
  approve: 'Freigeben',
  approveAll: (count, who) => `Alle ${count} Anfragen von ${who} freigeben`,
  allAuthorizedHint: (count) =>
    `Der Empfänger kann jetzt ${count} Dateien herunterladen, jede bis zu ${limits.downloadsPerAuthorization}-mal.`,
  denyFile: (name) => `${name} ablehnen`,
  approveFile: (name) => `${name} freigeben`,
  requestedAt: (time) => `angefragt ${time}`,
  unknownPerson: 'Einer Ihrer Kontakte',
  unknownFile: 'Eine Datei, deren Name sich nicht entschlüsseln lässt',
  approvedLine: (who, name) => `${who} kann ${name} jetzt herunterladen.`,
  deniedLine: (who, name) => `${who} kann ${name} nicht herunterladen.`,
  goneLine: (name) => `Die Anfrage zu ${name} wurde an anderer Stelle bearbeitet.`,
  accessDenied: 'Dateizugriff abgelehnt',
}
