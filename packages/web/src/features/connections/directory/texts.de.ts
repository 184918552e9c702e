import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { plural, type Translation } from '../../../i18n/language.ts'
import type { directoryTexts as english } from './texts.ts'

const days = limits.connectionRequestKept / (24 * 60 * 60 * 1000)
const pause = durationWords(limits.connectionRequestsApart, 'de')

export const directoryTexts: Translation<typeof english> = {
  name: 'Name des Mitglieds',
  nameHint: 'Vor- oder Nachname',
  search: 'Suchen',
  searching: 'Wird gesucht ...',
  tooShort: `Geben Sie mindestens ${limits.directorySearchMin} Buchstaben eines Namens ein.`,
  results: 'Gefundene Mitglieder',
  found: (count) => plural(count, { one: '1 Mitglied gefunden', other: `${count} Mitglieder gefunden` }),
  more: `Das sind die ersten ${limits.colleaguesFound}. Geben Sie mehr vom Namen ein, um die anderen zu sehen.`,
  none: (name) => `Kein Mitglied passt zu „${name}“`,
  noneHint: 'Prüfen Sie die Schreibweise, oder verbinden Sie sich mit einem Code.',
  notSearched: 'Die Suche ist fehlgeschlagen.',
  ask: 'Verbindung anfragen',
  askName: (name) => `Verbindung mit ${name} anfragen`,
  states: {
    none: '',
    connected: 'Verbunden',
    asked: 'Angefragt, noch keine Antwort',
    asking: 'Möchte sich mit Ihnen verbinden',
  },
  asked: (name) => `Anfrage an ${name} gesendet`,
  askedHint: (firstName) =>
    `Sie sind verbunden, sobald ${firstName} annimmt. Ohne Antwort endet die Anfrage in ${days} Tagen.`,
  notAsked: 'Anfrage nicht gesendet',
  notAskedHint: 'Versuchen Sie es erneut.',
  received: 'Anfragen an Sie',
  sent: 'Ihre Anfragen',
  notLoaded: 'Die Anfragen konnten nicht geladen werden.',
  askedOn: (date) => `Angefragt ${date}`,
  accept: 'Annehmen',
  acceptName: (name) => `Anfrage von ${name} annehmen`,
  accepted: (name) => `Sie sind mit ${name} verbunden`,
  notAccepted: 'Anfrage nicht angenommen',
  decline: 'Ablehnen',
  declineName: (name) => `Anfrage von ${name} ablehnen`,
  declined: 'Anfrage abgelehnt',
  declinedHint: (firstName) => `${firstName} wird nicht benachrichtigt.`,
  notDeclined: 'Anfrage nicht abgelehnt',
  withdraw: 'Zurückziehen',
  withdrawName: (name) => `Ihre Anfrage an ${name} zurückziehen`,
  withdrawn: 'Anfrage zurückgezogen',
  withdrawnHint: (firstName) => `Sie können ${firstName} in ${pause} wieder anfragen.`,
  notWithdrawn: 'Anfrage nicht zurückgezogen',
}
