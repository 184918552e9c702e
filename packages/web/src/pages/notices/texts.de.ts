import type { Translation } from '../../i18n/language.ts'
import type { noticeTexts as english } from './texts.ts'

export const noticeTexts: Translation<typeof english> = {
  lostWork: 'Nicht gesendeter Text konnte nicht aufbewahrt werden',
  lostWorkHint: (count) =>
    count === 1
      ? 'Eine nicht gesendete Nachricht oder ein Entwurf in diesem Browser wurde entfernt. Ihre Schlüssel wurden ersetzt, während dieser Browser weg war, und der frühere Schlüssel, der sie öffnete, ist vernichtet.'
      : `${count} nicht gesendete Nachrichten oder Entwürfe in diesem Browser wurden entfernt. Ihre Schlüssel wurden ersetzt, während dieser Browser weg war, und der frühere Schlüssel, der sie öffnete, ist vernichtet.`,
}
