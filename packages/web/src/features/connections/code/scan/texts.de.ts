import type { Translation } from '../../../../i18n/language.ts'
import type { scanTexts as english } from './texts.ts'

export const scanTexts: Translation<typeof english> = {
  title: 'QR-Code scannen',
  hint: 'Halten Sie den QR-Code der anderen Person vor die Kamera. Das Bild bleibt in diesem Browser und wird nicht gespeichert.',
  picture: 'Bild Ihrer Kamera',
  again: 'Erneut versuchen',
  states: {
    asking: 'Kamera wird gestartet. Wenn Ihr Browser fragt, erlauben Sie sie.',
    reading: 'QR-Code wird gesucht ...',
    slow: 'Noch kein QR-Code gefunden. Halten Sie ihn näher und gerade, bei hellerem Licht, oder geben Sie den Code ein.',
    foreign: 'Dieser Link gehört zu einem anderen Server. Sie können sich nur mit Personen auf diesem verbinden.',
    other: 'Das ist kein Verbindungscode von Privity. Die andere Person findet ihren in der Verbindungsverwaltung.',
    denied:
      'Die Kamera ist nicht erlaubt. Erlauben Sie sie in den Einstellungen des Browsers für diese Seite, oder geben Sie den Code ein.',
    noCamera: 'Es wurde keine Kamera gefunden. Schließen Sie eine an, oder geben Sie den Code ein.',
    inUse:
      'Die Kamera kann gerade nicht verwendet werden. Schließen Sie andere Programme, die sie verwenden, oder geben Sie den Code ein.',
    failed: 'Das Scannen ist fehlgeschlagen. Versuchen Sie es erneut, oder geben Sie den Code ein.',
  },
}
