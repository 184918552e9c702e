import { limits } from '@privity/contract/limits'
import type { Translation } from '../../../i18n/language.ts'
import type { uploadTexts as english } from './texts.ts'

export const uploadTexts: Translation<typeof english> = {
  approve: (firstName) => `Sofort für ${firstName} freigeben (${limits.downloadsPerAuthorization} Downloads)`,
  approveHint: (firstName) =>
    `${firstName} muss Dateien, die Sie hier teilen, nicht anfragen; Sie können die Freigabe widerrufen. Gilt, bis Sie dieses Gespräch verlassen; die Voreinstellung steht in den Einstellungen.`,
  approved: (firstName) => `Dateien werden sofort für ${firstName} freigegeben.`,
}
