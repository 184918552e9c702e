import type { Translation } from '../../../i18n/language.ts'
import type { lockSettingTexts as english } from './texts.ts'

export const lockSettingTexts: Translation<typeof english> = {
  after: 'Diesen Browser sperren',
  afterHint:
    'Nach dieser Zeit ohne Nutzung hat dieser Browser in keinem Tab mehr Schlüssel, bis Sie Ihr Passwort eingeben. Entwürfe und nicht gesendete Nachrichten bleiben, verschlüsselt. Eine Datei, die gerade gesendet oder heruntergeladen wird, zählt als Nutzung. Gilt nur für diesen Browser.',
  minutes: (minutes) =>
    minutes === 0
      ? 'Nie'
      : minutes === 60
        ? 'Nach 1 Stunde'
        : `Nach ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}`,
  byOrganization: (minutes) =>
    `Ihre Organisation erlaubt höchstens ${minutes === 60 ? '1 Stunde' : minutes === 1 ? '1 Minute' : `${minutes} Minuten`}.`,
  saved: 'Einstellung aktualisiert',
}
