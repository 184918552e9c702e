import type { Translation } from '../../../i18n/language.ts'
import type { viewerTexts as english } from './texts.ts'

export const viewerTexts: Translation<typeof english> = {
  counted: 'Zählt als ein Download. Die Datei wird auf diesem Gerät nur gespeichert, wenn Sie „Speichern“ wählen.',
  own: 'Die Datei wird auf diesem Gerät nur gespeichert, wenn Sie „Speichern“ wählen.',
  loading: 'Wird auf diesem Gerät entschlüsselt',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  zoom: (percent) => `Zoom ${percent}, zurück auf 100 %`,
  previous: 'Vorige Seite',
  next: 'Nächste Seite',
  page: (page, of) => `Seite ${page} von ${of}`,
  save: 'Speichern',
  thumbnail: (name) => `Vorschaubild von ${name}`,
  content: (name) => `Inhalt von ${name}`,
  notShown: 'Diese Datei lässt sich nicht anzeigen. Sie können sie speichern und mit einem anderen Programm öffnen.',
  tooManyPixels: 'Dieses Bild hat zu viele Pixel, um es anzuzeigen. Sie können es speichern.',
  protected:
    'Dieses PDF ist mit einem eigenen Passwort geschützt. Speichern Sie es und öffnen Sie es mit einem anderen Programm.',
  cut: 'Das ist der Anfang. Speichern Sie die Datei, um den Rest zu lesen.',
}
