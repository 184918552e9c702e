import type { Translation } from '../../../i18n/language.ts'
import type { faqTexts as english } from './texts.ts'
import { lifetime } from '../../../i18n/retention.ts'

export const faqTexts: Translation<typeof english> = {
  entries: [
    {
      question: 'Wie verbinde ich mich mit jemandem?',
      answer:
        'Geben Sie der anderen Person Ihren Verbindungscode oder geben Sie deren Code unter „Mit jemandem verbinden“ ein. Die Verbindung besteht sofort für Sie beide und bleibt, bis jemand von Ihnen sie entfernt.',
    },
    {
      question: 'Ändert sich mein Verbindungscode?',
      answer:
        'Nein. Er bleibt gleich, bis Sie ihn selbst unter „Verbindungen verwalten“ ersetzen. Der alte Code gilt dann nicht mehr; Ihre Verbindungen bleiben.',
    },
    {
      question: 'Wer kann meine Nachrichten lesen?',
      answer:
        'Sie und die andere Person. Nachrichten und Dateien werden in Ihren Browsern mit 256-Bit-Schlüsseln Ende-zu-Ende-verschlüsselt, und der Server speichert nur, was er nicht öffnen kann. Er sieht allerdings, wer wem wann schreibt.',
    },
    {
      question: 'Wie lange werden Nachrichten aufbewahrt?',
      answer: `Höchstens ${lifetime.de}, für jede Nachricht einzeln gezählt. Dann werden die Nachricht und ihre Datei auf dem Server vernichtet und verschwinden von beiden Bildschirmen. Nur was der Empfänger gemeldet hat, wird länger aufbewahrt. Verbindungen und Codes bleiben.`,
    },
    {
      question: 'Was bedeutet „Zugestellt, bestätigt“?',
      answer:
        'Jede Nachricht enthält signiert, welche Nachricht der Browser des Absenders zuletzt geöffnet hat. Sobald eine Antwort Ihre nennt, ist deren Zustellung bestätigt. Über die Nachrichten davor sagt das nichts. „Gesendet“, „Zugestellt“ und „Gelesen“ allein sind Angaben des Servers.',
    },
    {
      question: 'Was bedeutet „Hier fehlt eine Nachricht“?',
      answer:
        'Nachrichten sind zusammen mit ihrer Zeit, ihrer Nummer und den Nachrichten davor signiert. Wenn eine davon noch existiert und der Server sie nicht ausliefert, wird die Stelle markiert. Fragen Sie die andere Person, was sie geschrieben hat. Trifft die Nachricht später ein, verschwindet die Markierung, und bei der Nachricht steht, dass sie verspätet eingetroffen ist.',
    },
    {
      question: 'Wie groß darf eine Datei sein?',
      answer: 'Bis zu 100 MB je Datei. Eine größere wird abgelehnt, bevor etwas hochgeladen wird.',
    },
    {
      question: 'Wer kann eine Datei herunterladen, die ich teile?',
      answer:
        'Nur die andere Person dieses Gesprächs, und erst, nachdem Sie sie freigegeben haben: auf Anfrage oder schon beim Senden. Eine Freigabe erlaubt bis zu 3 Downloads. Ihre eigene Datei können Sie jederzeit herunterladen, solange es sie gibt.',
    },
    {
      question: 'Was ist eine Sicherheitsnummer?',
      answer:
        'Sechzig Ziffern, die auf beiden Seiten gleich sind, wenn niemand zwischen Ihnen steht. Vergleichen Sie sie mündlich oder persönlich („Info“ in einem Gespräch) und markieren Sie die Verbindung dann als verifiziert. Ändert sich später ein Schlüssel, warnt Sie ein Browser, der den früheren kennt, und sendet nicht mehr, bis Sie die Änderung geprüft haben.',
    },
    {
      question: 'Ich habe mein Passwort vergessen. Kann der Support es zurücksetzen?',
      answer:
        'Nein. Ihre Schlüssel sind mit Ihrem Passwort und mit Ihrem Konto-Wiederherstellungsschlüssel verschlossen, und der Server hat keines von beiden. Mit Ihrem Konto-Wiederherstellungsschlüssel können Sie auf der Anmeldeseite ein neues Passwort festlegen. Ohne beides kann niemand das Konto öffnen.',
    },
    {
      question: 'Ich habe meinen zweiten Faktor verloren. Was nun?',
      answer:
        'Melden Sie sich mit einem Ihrer Backup-Codes an und richten Sie dann einen anderen zweiten Faktor ein. Sind auch die verloren, bitten Sie die Administration Ihrer Organisation, ihn zurückzusetzen: Danach genügt zur Anmeldung Ihr Passwort. Der Konto-Wiederherstellungsschlüssel ersetzt keinen zweiten Faktor.',
    },
    {
      question: 'Warum zeigt ein neuer Browser keine Nachrichten von früher?',
      answer:
        'Sie oder Ihre Organisation haben „Nur genehmigte Browser“ gewählt. Wählen Sie auf der Nachrichtenseite „Jetzt genehmigen“ und vergleichen Sie sechs Ziffern mit einem genehmigten Browser, oder verwenden Sie Ihren Konto-Wiederherstellungsschlüssel. Neue Nachrichten kommen sofort an.',
    },
    {
      question: 'Warum ist mein Konto gesperrt?',
      answer:
        'Nach 5 fehlgeschlagenen Anmeldungen ist ein Konto für 15 Minuten gesperrt. Ein Browser, in dem Sie sich schon einmal angemeldet haben, zählt für sich, sodass kein Fremder Sie dort aussperren kann.',
    },
    {
      question: 'Was geschieht mit einer Nachricht, wenn ich offline bin?',
      answer: `Sie wird verschlüsselt in diesem Browser aufbewahrt und automatisch gesendet, sobald die Verbindung wieder besteht, auch nachdem die Seite neu geladen wurde. Sie wird höchstens ${lifetime.de} aufbewahrt.`,
    },
    {
      question: 'Lassen sich Bildschirmaufnahmen verhindern?',
      answer:
        'Nein. Sie werden erschwert. Solange der Schutz vor Bildschirmaufnahmen eingeschaltet ist, warnt Privity Sie und protokolliert es, wenn eine Taste für Bildschirmaufnahmen, Drucken, Entwicklerwerkzeuge oder die Konsole, die rechte Maustaste, Kopieren außerhalb von Textfeldern, Ziehen von Seiteninhalten oder Verbergen der Seite bemerkt wird. Kopieren, Ziehen und Verbergen werden ohne Hinweis protokolliert. Was Sie lesen oder schreiben, protokolliert Privity nie. Einen Bildschirm fotografieren kann jeder.',
    },
    {
      question: 'Warum steht mein Name blass hinter dem Gespräch?',
      answer:
        'Das ist ein Wasserzeichen mit Ihrem Benutzernamen und der Zeit, damit ein Foto des Bildschirms zeigt, wer angemeldet war. Ihre Organisation entscheidet, ob es angezeigt wird.',
    },
    {
      question: 'Gibt es Tastenkürzel?',
      answer:
        'Strg+Umschalt+F sucht im offenen Gespräch, Strg+Umschalt+L sperrt diesen Browser, auch auf einem Mac. Alles andere geht mit Tab, Eingabe und Escape.',
    },
    {
      question: 'Sind Video- und Sprachanrufe möglich?',
      answer:
        'Noch nicht; die Schaltflächen in einem Gespräch weisen darauf hin. Sie können Nachrichten und Dateien senden.',
    },
    {
      question: 'Ist verschlüsselt, was ich an den Support schreibe?',
      answer:
        'Bei der Übertragung und dort, wo es gespeichert wird, ja; Ende zu Ende, nein. Wer antwortet, kann es lesen, und es kann per E-Mail weitergeleitet werden. Schreiben Sie nichts Geheimes hinein.',
    },
  ],
}
