import type { Translation } from '../../i18n/language.ts'
import type { connectionTexts as english } from './texts.ts'

export const connectionTexts: Translation<typeof english> = {
  yourCode: 'Ihr Verbindungscode',
  digits: ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'],
  copyCode: 'Code kopieren',
  copied: 'Kopiert!',
  codeCopied: 'Verbindungscode in die Zwischenablage kopiert',
  copyFailed: 'Der Code konnte nicht kopiert werden',
  copyFailedHint: 'Markieren und kopieren Sie ihn von Hand.',
  share: 'Teilen',
  invitation: (code, link) =>
    `Schreiben Sie mir vertraulich über Privity. Öffnen Sie ${link}, um sich zu verbinden, oder geben Sie meinen Code ein: ${code}`,
  invitationCopied: 'Einladung in die Zwischenablage kopiert',
  connectTo: 'Mit jemandem verbinden',
  scan: 'QR-Code scannen',
  codeExample: 'ABC-DEF-234',
  malformed:
    'Ein Code besteht aus 3 Buchstaben, 3 Buchstaben und 3 Ziffern, zum Beispiel ABC-DEF-234. Er enthält kein I, O, 0 oder 1.',
  fromLink:
    'Dieser Code stammt aus einem Link. Beim Verbinden prüft Ihr Browser, ob der Schlüssel der Person zum Link passt.',
  codeQr: 'Der Link zu Ihrem Code als QR-Code',
  codeQrHint:
    'Beim Scannen öffnet sich ein Link, der Ihren Code einträgt. Der andere Browser prüft dann, ob Ihr Schlüssel zum Link passt.',
  connect: 'Verbinden',
  connecting: 'Wird verbunden ...',
  established: 'Verbindung erfolgreich hergestellt!',
  notEstablished: 'Verbindung konnte nicht hergestellt werden',
  active: 'Aktive Verbindungen',
  none: 'Noch keine Verbindungen',
  noneHint: 'Geben Sie Ihren Code einer Person, der Sie vertrauen, oder geben Sie oben deren Code ein.',
  connectedOn: (date) => `Verbunden am ${date}`,
  draft: 'Entwurf',
  lastMessage: 'Letzte Nachricht',
  yesterday: 'Gestern',
  unread: (count) => `${count} ungelesen`,
  manyUnread: (count) => `${count} oder mehr ungelesen`,
  unavailable: 'Nicht verfügbar',
  loading: 'Verbindungen werden geladen ...',
  notLoaded: 'Die Verbindungen konnten nicht geladen werden.',
  removed: (name) => `Ihre Verbindung mit ${name} wurde entfernt`,
  removedHint: 'Ihre Nachrichten und Dateien wurden für Sie beide gelöscht.',
  select: 'Wählen Sie eine Verbindung',
  selectHint:
    'Jedes Gespräch gehört Ihnen und einer anderen Person. Teilen Sie Ihren Code oder geben Sie den einer anderen Person ein, um das erste zu beginnen.',
  selectHintSome: 'Jedes Gespräch gehört Ihnen und einer anderen Person. Wählen Sie eine Ihrer Verbindungen.',
}
