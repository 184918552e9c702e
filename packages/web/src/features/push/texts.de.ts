import type { Translation } from '../../i18n/language.ts'
import type { pushTexts as english } from './texts.ts'

export const pushTexts: Translation<typeof english> = {
  row: {
    label: 'Benachrichtigen, wenn Privity geschlossen ist',
    hint: 'Nur in diesem Browser und sofort. Ein Push-Dienst zeigt „Neue Nachricht“ an, höchstens einmal in 15 Minuten, bis Sie Privity öffnen. Richtet sich nach den Schaltern für Push-Benachrichtigungen und Nachrichten.',
  },
  status: {
    unsupported:
      'Dieser Browser hat keine Push-Benachrichtigungen. Fügen Sie Privity auf einem iPhone oder iPad zuerst zum Home-Bildschirm hinzu.',
    unavailable: 'Dieser Server sendet keine Push-Benachrichtigungen.',
    forbidden: 'Ihre Organisation erlaubt keine Push-Benachrichtigungen.',
    shared: 'Nicht an einem Computer, den auch andere benutzen: Er würde benachrichtigt, wenn Sie gegangen sind.',
    blocked:
      'Vom Browser blockiert. Erlauben Sie Benachrichtigungen für diese Website in der Adressleiste, und schalten Sie dies dann wieder ein.',
    lost: 'Aus: Der Browser hat die Benachrichtigungen beendet, die Sie eingeschaltet hatten. Schalten Sie sie wieder ein.',
  },
  dialog: {
    title: 'Diesen Browser benachrichtigen, wenn Privity geschlossen ist?',
    missed: 'Eine Nachricht ist verschwunden, bevor Sie sie gelesen haben.',
    learns:
      'Der Push-Dienst dieses Browsers (Google, Mozilla, Apple oder Microsoft) erfährt, dass etwas von diesem Server für ihn eingetroffen ist, und ungefähr wann. Von wem und was erfährt er nicht.',
    shows: 'Wer Ihren Bildschirm sieht, liest „Neue Nachricht“.',
    confirm: 'Einschalten',
    busy: 'Wird eingeschaltet ...',
  },
  on: 'Push-Benachrichtigungen sind in diesem Browser eingeschaltet',
  off: 'Push-Benachrichtigungen sind in diesem Browser ausgeschaltet',
  failed: 'Die Benachrichtigungen konnten nicht geändert werden',
  failedHint: 'Der Push-Dienst dieses Browsers war nicht erreichbar. Versuchen Sie es später erneut.',
  lost: 'Keine Push-Benachrichtigungen mehr',
  lostHint: 'Dieser Browser hat sie beendet. Unter Einstellungen schalten Sie sie wieder ein.',
}
