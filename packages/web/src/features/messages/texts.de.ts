import type { Translation } from '../../core/language.ts'
import type { messageTexts as english } from './texts.ts'

export const messageTexts: Translation<typeof english> = {
  conversationWith: (name) => `Gespräch mit ${name}`,
  empty: 'Noch keine Nachrichten. Beginnen Sie das Gespräch!',
  loading: 'Nachrichten werden geladen ...',
  loadingOlder: 'Ältere Nachrichten werden geladen ...',
  notLoaded: 'Die Nachrichten konnten nicht geladen werden.',
  today: 'Heute',
  yesterday: 'Gestern',
  delivery: { sent: 'Gesendet', delivered: 'Zugestellt', read: 'Gelesen' },
  sending: 'Wird gesendet',
  sendingLater: 'geht hinaus, sobald Sie wieder verbunden sind',
  failed: 'Nachricht konnte nicht gesendet werden',
  tooLong: 'Nur 500 Zeichen passen hinein',
  leftOut: (over) =>
    over === 1
      ? 'Ein Zeichen wurde weggelassen. Senden Sie es als weitere Nachricht.'
      : `${over} Zeichen wurden weggelassen. Senden Sie sie als weitere Nachricht.`,
  tryAgain: 'Erneut versuchen',
  discard: 'Verwerfen',
  discarded: 'Nachricht verworfen',
  report: 'Nachricht melden',
  fileLabel: (name) => `Datei: ${name}`,
  newMessages: 'Neue Nachrichten',
  heard: (firstName, text) => `${firstName}: ${text}`,
  heardFile: (firstName, name) => `${firstName} hat eine Datei geteilt: ${name}`,
  heardUnreadable: (firstName) => `Eine Nachricht von ${firstName} konnte nicht gelesen werden.`,
  earlierKey: 'Mit einem früheren Schlüssel signiert',
  you: 'Sie',
  composerLabel: (name) => `Nachricht an ${name}`,
  placeholder: (firstName) => `Schreiben Sie an ${firstName}. Die Eingabetaste sendet.`,
  send: 'Senden',
  counter: (count, of) => `${count}/${of}`,
  counterName: (count, of) => `${count} von ${of} Zeichen`,
  expiry: (rest) => `verschwindet in ${rest}`,
  hours: (count) => `${count} Std.`,
  minutes: (count) => `${count} Min.`,
  underMinute: 'weniger als 1 Min.',
  loadNew: 'Neue Nachrichten laden',
  unavailable: (firstName) => `${firstName} ist nicht verfügbar und kann keine Nachrichten empfangen.`,
}
