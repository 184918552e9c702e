import type { Translation } from '../../../i18n/language.ts'
import type { safetyNumberTexts as english } from './texts.ts'

export const safetyNumberTexts: Translation<typeof english> = {
  title: 'Sicherheitsnummer',
  details: 'Einzelheiten',
  close: 'Schließen',
  you: 'Sie',
  connectedOn: (date) => `Verbunden am ${date}`,
  linkedHint:
    'Der Schlüssel ist der aus dem Link, mit dem Sie sich verbunden haben. Vergleichen Sie die Sicherheitsnummern, um ihn zu verifizieren.',
  verifiedAlert: 'Verifiziert.',
  verifiedHint: 'Sie werden hier gewarnt, wenn sich einer der Schlüssel ändert.',
  qrName: 'Dieselbe Sicherheitsnummer als QR-Code',
  qrHint: 'Oder halten Sie beide Bildschirme nebeneinander: Die beiden Codes müssen gleich aussehen.',
  visualAid: 'Die Linie zwischen den Hälften wird aus diesen Ziffern gezeichnet. Vergleichen Sie nur die Ziffern.',
  steps: (firstName) => ({
    call: `Rufen Sie ${firstName} an oder treffen Sie sich persönlich.`,
    notByEmail: 'Vergleichen Sie nicht per E-Mail.',
    read: 'Lesen Sie die zwölf Gruppen Zeile für Zeile laut vor.',
    mark: 'Stimmt jede Ziffer auf beiden Bildschirmen überein, markieren Sie die Nummer als verifiziert.',
    accept: 'Stimmt jede Ziffer auf beiden Bildschirmen überein, nehmen Sie den neuen Schlüssel an.',
  }),
  mark: 'Als verifiziert markieren',
  marked: (firstName) => `${firstName} ist verifiziert`,
  clear: 'Verifizierung aufheben',
  cleared: 'Verifizierung aufgehoben',
  copy: 'Kopieren',
  copied: 'Kopiert!',
  copiedToast: 'Sicherheitsnummer in die Zwischenablage kopiert',
  copyFailed: 'Die Sicherheitsnummer konnte nicht kopiert werden',
  dontMatch: 'Sie stimmen nicht überein',
  mismatchTitle: 'Die Nummern sind verschieden',
  mismatch: (firstName) => ({
    meaning: `Mindestens eine Seite hat dann einen falschen Schlüssel für die andere. Bis das geklärt ist, sind Nachrichten an ${firstName} möglicherweise nicht vertraulich.`,
    checkAgain:
      'Lesen Sie die zwölf Gruppen zuerst noch einmal langsam vor. Eine einzige falsch gelesene Ziffer sieht aus wie ein falscher Schlüssel.',
    causes: `Es kann harmlos sein: ${firstName} hat vielleicht ein neues Konto angelegt oder den Konto-Wiederherstellungsschlüssel verloren. Es kann auch bedeuten, dass jemand Ihre Nachrichten abfängt.`,
    advice: `Halten Sie das Senden an und fragen Sie ${firstName} auf einem anderen Weg. Nichts, was Sie getippt haben, geht verloren.`,
  }),
  pause: 'Senden anhalten',
  paused: (firstName) => `Das Senden an ${firstName} ist angehalten`,
  verifiedBy: 'Verifiziert von',
  verifiedByYou: 'Ihnen',
  encryption: 'Verschlüsselung',
  encryptionValue: '256 Bit, Ende zu Ende',
  notLoaded: 'Die Sicherheitsnummer konnte nicht geladen werden.',
  loading: 'Sicherheitsnummer wird geladen ...',
  accept: 'Den neuen Schlüssel annehmen',
  acceptTitle: (firstName) => `Den neuen Schlüssel von ${firstName} annehmen?`,
  changedExplained: (firstName) =>
    `${firstName} hat vielleicht neue Schlüssel erstellt, oder jemand anderes gibt sich als diese Person aus. Vergleichen Sie die Ziffern unten, bevor Sie wieder schreiben.`,
  confirmed: 'Durch den früheren Schlüssel bestätigt.',
  confirmedWhy: (firstName) =>
    `Der Schlüssel, den Sie angenommen hatten, hat den neuen signiert. Das kann jeder getan haben, der die früheren Schlüssel von ${firstName} hatte, vergleichen Sie also trotzdem.`,
  notConfirmed: 'Nicht durch den früheren Schlüssel bestätigt.',
  notConfirmedWhy: (firstName) =>
    `Schlüssel, die ${firstName} in Privity ersetzt, sind mit dem früheren signiert: Diesen kann jemand anderes erstellt haben.`,
  acceptHint: (firstName) =>
    `Von da an werden Ihre Nachrichten und Freigaben für den neuen Schlüssel verschlüsselt, und wer ihn hat, kann sie lesen. Die Verbindung gilt als nicht verifiziert, bis Sie die Sicherheitsnummern mit ${firstName} erneut vergleichen.`,
  acceptConfirm: 'Neuen Schlüssel annehmen',
  accepted: 'Neuer Schlüssel angenommen',
  processing: 'Wird verarbeitet ...',
}
