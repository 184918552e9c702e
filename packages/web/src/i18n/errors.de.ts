import type { CallErrorCode } from '@privity/client'
import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'

/** German messages for the error codes of server and client, whose own messages are English. */
export const errorSentences: Record<CallErrorCode, string> = {
  INVALID_INPUT: 'Einige der gesendeten Angaben sind nicht gültig.',
  BODY_TOO_LARGE: 'Die Anfrage ist zu groß.',
  HEADERS_TOO_LARGE: 'Die Kopfzeilen der Anfrage sind zu groß.',
  REQUEST_TOO_SLOW: 'Die Übertragung der Anfrage hat zu lange gedauert.',
  NOT_SIGNED_IN: 'Sie sind nicht angemeldet.',
  FORBIDDEN: 'Dazu sind Sie nicht berechtigt.',
  ORIGIN_REFUSED: 'Diese Anfrage kam von einer anderen Website und wurde abgelehnt.',
  NOT_FOUND: 'Unter dieser Adresse wurde nichts gefunden.',
  RATE_LIMITED: 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es dann erneut.',
  STORAGE_FULL: 'Der Server hat keinen Platz mehr. Es ist nichts verloren gegangen; versuchen Sie es später erneut.',
  UNAVAILABLE: 'Der Server ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.',
  INTERNAL: 'Auf dem Server ist etwas schiefgegangen. Versuchen Sie es erneut.',
  NOT_FOUNDER: 'Nicht als Gründer angemeldet.',
  FOUNDER_PASSWORD_GENERATED:
    'Dieses Passwort wurde beim ersten Start des Servers erzeugt. Ersetzen Sie es durch ein eigenes, um fortzufahren.',
  PASSWORD_IN_ENVIRONMENT:
    'Das Passwort ist auf dem Server durch FOUNDER_PASSWORD festgelegt. Ändern Sie es dort und starten Sie den Server neu.',
  WRONG_CREDENTIALS: 'Benutzername oder Passwort ist falsch.',
  WRONG_PASSWORD: 'Falsches Passwort.',
  PASSWORD_UNCHANGED:
    'Neue Schlüssel erfordern ein neues Passwort: Mit dem alten könnte ein neuer Browser oder eine wiederhergestellte Sicherung zu den alten Schlüsseln zurückkehren.',
  ACCOUNT_LOCKED: 'Dieses Konto ist nach 5 Fehlversuchen gesperrt. Versuchen Sie es in 15 Minuten erneut.',
  ACCOUNT_UNAVAILABLE: 'Dieses Konto ist nicht aktiv. Wenden Sie sich an Ihre Administration.',
  LAST_SUPER_ADMIN:
    'Das ist der letzte Hauptadministrator, und die Organisation hat weitere Mitglieder. Geben Sie zuerst einem von ihnen diese Rolle.',
  PASSWORD_NEEDED: 'Geben Sie Ihr Passwort erneut ein, um fortzufahren.',
  EXPORTS_OFF: 'Datendownloads sind in Ihren Datenschutzeinstellungen ausgeschaltet.',
  USERNAME_TAKEN: 'Dieser Benutzername ist bereits vergeben.',
  EMAIL_TAKEN: 'Diese E-Mail-Adresse wird bereits verwendet.',
  USER_ID_TAKEN: 'Dieses Konto gibt es bereits. Versuchen Sie es erneut.',
  INVITATION_INVALID: 'Diese Einladung ist nicht mehr gültig. Bitten Sie um eine neue.',
  SECOND_FACTOR_REQUIRED: 'Bestätigen Sie mit Ihrem zweiten Faktor, um fortzufahren.',
  SECOND_FACTOR_WRONG: 'Dieser Code ist falsch oder wurde bereits verwendet.',
  SECOND_FACTOR_OFF: 'Die Zwei-Faktor-Authentifizierung ist nicht eingeschaltet.',
  SECOND_FACTOR_MISSING:
    'Ihre Organisation verlangt die Zwei-Faktor-Authentifizierung. Richten Sie sie ein, um fortzufahren.',
  SECOND_FACTOR_KEPT:
    'Ihre Organisation verlangt die Zwei-Faktor-Authentifizierung. Ihr letzter zweiter Faktor kann nicht entfernt werden.',
  CONFIRMATION_NEEDED: 'Bestätigen Sie Ihre Identität, um fortzufahren.',
  INVITATION_NEEDED:
    'Dieser Organisation kann man nur mit einer Einladung beitreten. Bitten Sie die Administration der Organisation um eine Einladung.',
  TICKET_INVALID: 'Diese Anmeldung hat zu lange gedauert. Geben Sie Ihr Passwort erneut ein.',
  SETUP_EXPIRED: 'Die Einrichtung hat zu lange gedauert. Beginnen Sie von vorn.',
  PASSKEY_REFUSED: 'Der Passkey konnte nicht bestätigt werden. Versuchen Sie es erneut.',
  PASSKEY_EXISTS: 'Dieser Passkey ist bereits registriert.',
  PASSKEY_NOT_FOUND: 'Diesen Passkey gibt es nicht mehr.',
  PASSKEYS_FULL: 'Sie haben die Höchstzahl an Passkeys erreicht. Entfernen Sie zuerst einen.',
  PASSKEYS_UNAVAILABLE:
    'Passkeys funktionieren unter dieser Adresse nicht: Sie brauchen HTTPS und einen Domainnamen oder localhost.',
  INVITATION_NOT_FOUND: 'Diese Einladung gibt es nicht.',
  INVITATION_ENDED: 'Diese Einladung wurde bereits verwendet oder widerrufen, oder sie ist abgelaufen.',
  INVITATIONS_FULL:
    'Ihre Organisation hat die Höchstzahl an offenen Einladungen erreicht. Widerrufen Sie zuerst einige.',
  EMAIL_DOMAIN_REFUSED:
    'Ihre Organisation nimmt keine E-Mail-Adressen dieser Domain an. Verwenden Sie Ihre Adresse in der Organisation.',
  POLICY_DATE_INVALID: 'Wählen Sie ein Datum nach dem heutigen Tag, höchstens ein Jahr voraus.',
  USER_NOT_FOUND: 'Diese Person gehört nicht mehr zu Ihrer Organisation.',
  ACCOUNT_NOT_FOUND: 'Dieses Konto gibt es nicht mehr.',
  ORGANIZATION_NOT_FOUND: 'Diese Organisation gibt es nicht.',
  ORGANIZATION_HAS_MEMBERS: 'Diese Organisation hat bereits Mitglieder. Ihre Administration kann weitere einladen.',
  REQUEST_NOT_FOUND: 'Diese Support-Anfrage gibt es nicht mehr.',
  OWN_ACCOUNT: 'Mit dem eigenen Konto ist das nicht möglich.',
  ABOVE_RANK: 'Das kann nur ein Hauptadministrator.',
  RECOVERY_REFUSED: 'Benutzername oder Konto-Wiederherstellungsschlüssel ist falsch.',
  KEYS_EXIST: 'Dieses Konto hat seine Schlüssel bereits.',
  NO_KEYS: 'Dieses Konto hat noch keine Schlüssel.',
  BROWSERS_CHANGED: 'Ihre Liste der Browser hat sich geändert. Sie wird neu gelesen.',
  BROWSER_NOT_APPROVED: 'Dieser Browser ist nicht genehmigt. Genehmigen Sie ihn zuerst.',
  MODE_REQUIRED: 'Ihre Organisation verlangt „Nur genehmigte Browser“.',
  BROWSER_NOT_FOUND: 'Dieser Browser steht nicht mehr in Ihrer Liste.',
  BROWSER_REMOVED: 'Dieser Browser wurde aus Ihrer Liste entfernt.',
  APPROVAL_ENDED: 'Dieser Vergleich ist beendet. Beginnen Sie im neuen Browser noch einmal.',
  NOTIFICATION_KEPT: 'Änderungen an Ihrem Konto bleiben in dieser Liste, bis sie 7 Tage alt sind.',
  STALE_VERSION: 'Das wurde an anderer Stelle geändert und neu geladen.',
  PUSH_FORBIDDEN: 'Ihre Organisation erlaubt keine Push-Benachrichtigungen.',
  PUSH_SERVICE_REFUSED: 'Dieser Server sendet nicht an den Push-Dienst dieses Browsers.',
  CODE_OWN: 'Das ist Ihr eigener Code. Geben Sie den Code der anderen Person ein.',
  CODE_UNKNOWN: 'Niemand hat diesen Code. Prüfen Sie ihn mit der anderen Person.',
  ALREADY_CONNECTED: 'Sie sind mit dieser Person bereits verbunden.',
  PERSON_BLOCKED: 'Sie haben diese Person blockiert. Heben Sie die Blockierung auf, um sich wieder zu verbinden.',
  DIRECTORY_OFF: 'Ihre Organisation hat kein Mitgliederverzeichnis. Verbinden Sie sich mit einem Code.',
  COLLEAGUE_NOT_FOUND: 'Diese Person steht nicht im Mitgliederverzeichnis Ihrer Organisation.',
  CONNECTION_REQUEST_NOT_FOUND: 'Diese Anfrage ist nicht mehr offen.',
  CONNECTION_REQUEST_OPEN: 'Sie haben diese Person bereits angefragt.',
  CONNECTION_REQUEST_REPEATED: `Sie können diese Person ${durationWords(limits.connectionRequestsApart, 'de')} nach dem Ende Ihrer letzten Anfrage wieder anfragen.`,
  CONNECTION_REQUESTS_FULL: 'Sie haben zu viele offene Anfragen. Ziehen Sie zuerst eine zurück.',
  FORMER_CONTACT_NOT_FOUND: 'Diese Person steht nicht mehr in der Liste beendeter Verbindungen.',
  BLOCK_NOT_FOUND: 'Sie haben diese Person nicht blockiert.',
  CONNECTION_NOT_FOUND: 'Diese Verbindung gibt es nicht mehr.',
  PEER_UNAVAILABLE: 'Diese Person ist nicht verfügbar und kann keine Nachrichten empfangen.',
  MESSAGE_NOT_SEALED: 'Die Nachricht war nicht verschlüsselt; der Server hat sie abgelehnt.',
  MESSAGE_NOT_SIGNED: 'Die Nachricht war nicht mit Ihren Schlüsseln signiert; der Server hat sie abgelehnt.',
  MESSAGE_ID_TAKEN: 'Eine andere Nachricht hat diese Kennung bereits.',
  ENVELOPE_UNKNOWN: 'Der Server kennt den Nachrichtenschlüssel nicht. Die Nachricht wird mit einem neuen gesendet.',
  ENVELOPE_INVALID: 'Der Nachrichtenschlüssel gehört nicht zu diesem Gespräch.',
  ENVELOPE_OUTDATED:
    'Der Nachrichtenschlüssel ist zu alt oder vordatiert. Die Nachricht wird mit einem neuen gesendet.',
  LIFETIME_CHANGED: 'Nachrichten leben hier jetzt eine andere Zeit. Die Nachricht wird erneut gesendet.',
  EPOCH_SUPERSEDED: 'Die Schlüssel wurden erneuert. Die Nachricht wird erneut gesendet.',
  EPOCH_CONFLICT: 'Es gibt bereits einen neueren Schlüssel.',
  MESSAGE_NOT_FOUND: 'Diese Nachricht gibt es nicht mehr.',
  ALREADY_REPORTED: 'Sie haben diese Nachricht bereits gemeldet.',
  REPORTING_NOT_SET_UP: 'Das Melden ist auf diesem Server noch nicht eingerichtet.',
  REPORT_KEY_CHANGED: 'Der Schlüssel für Meldungen hat sich geändert. Melden Sie die Nachricht noch einmal.',
  FLAG_NOT_FOUND: 'Diese Nachricht ist nicht mehr markiert.',

  ALERT_NOT_SENT: 'Die Warnung konnte nicht gesendet werden. Ihr Status steht darunter.',

  UPLOAD_TOO_SLOW: 'Das Hochladen war zu langsam, deshalb hat der Server es abgebrochen. Versuchen Sie es erneut.',
  UPLOAD_NOT_FOUND: 'Diese Upload-Adresse gilt nicht mehr. Beginnen Sie von vorn.',
  FILE_TOO_LARGE: 'Dateien dürfen bis zu 100 MB groß sein.',
  FILE_NOT_FOUND: 'Diese Datei gibt es nicht mehr.',
  FILES_FULL: 'Ihr Speicherplatz ist belegt. Er wird frei, wenn Ihre Dateien ablaufen: Versuchen Sie es später erneut.',
  FILE_IN_USE: 'Diese Datei wurde bereits in einer Nachricht gesendet.',
  DOWNLOAD_NOT_AUTHORIZED: 'Der Absender hat diesen Download nicht freigegeben.',
  DOWNLOADS_USED_UP: 'Es sind keine Downloads mehr übrig. Fragen Sie die Datei erneut an.',
  AUTHORIZATION_NOT_FOUND: 'Diese Anfrage gibt es nicht mehr.',
  AUTHORIZATION_DECIDED: 'Über diese Anfrage wurde bereits entschieden.',
  INCIDENT_ACKNOWLEDGED:
    'Dieser Vorfall ist bereits quittiert, vielleicht in einem anderen Browser. Er wurde neu geladen.',
  INCIDENT_OVER: 'Dieser Vorfall ist vorbei: Seit seinem letzten Ereignis sind 24 Stunden vergangen.',
  REQUEST_EXISTS: 'Sie haben diese Datei bereits angefragt.',

  OFFLINE: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
  RESPONSE_UNREADABLE:
    'Der Server hat eine Antwort gesendet, die diese Version von Privity nicht versteht. Laden Sie die Seite neu.',
  CODE_GONE: 'Ein Teil dieser Seite konnte nicht geladen werden. Laden Sie die Seite neu.',
  KEY_CHANGED: 'Der Schlüssel dieser Person hat sich geändert. Prüfen Sie ihn, bevor Sie etwas senden oder freigeben.',
  PAUSED: 'Sie haben das Senden an diese Person angehalten.',
  LINK_OTHER:
    'Der Schlüssel, den der Server für diese Person zeigt, ist nicht der aus ihrem Link. Sie sind nicht verbunden. Fragen Sie die Person auf einem anderen Weg, ob sie ihre Schlüssel ersetzt hat.',
  CONTACT_UNMET:
    'Dieser Browser begegnet dieser Person zum ersten Mal. Beantworten Sie zuerst die Frage in der Unterhaltung.',
  NAME_CHANGED:
    'Der Name dieser Person hat sich geändert, seit Sie sie verifiziert haben. Beantworten Sie zuerst die Frage in der Unterhaltung.',
  CONTACT_AWAY: 'Diese Person war zu lange nicht hier. Bis sie zurück ist, wird für sie nichts verschlüsselt.',
  KEY_OLD: 'Der Server hat einen älteren Schlüssel dieser Person gesendet als zuvor. Es wurde nichts gesendet.',
  KEYS_ALTERED: 'Der Server zeigt für Ihr Konto andere Schlüssel als die, die Sie erstellt haben.',
  KEYS_FORGED:
    'Die Schlüssel, die der Server für diese Person sendet, passen nicht zueinander. Sie können nicht angenommen werden.',
  REQUEST_ALTERED:
    'Diese Anfrage gehört nicht zu der Person, der Sie die Datei gesendet haben. Es wurde nichts freigegeben.',
  FILE_OTHER:
    'Der Server hat den Schlüssel einer anderen als der angezeigten Datei gesendet. Es wurde nichts freigegeben.',
  PARTY_ALTERED:
    'Der Server zeigt anstelle eines Ihrer Kontakte eine andere Person. Diese Verbindung ist ausgeblendet, und es wird nichts an sie gesendet.',
  OWN_KEYS_OTHER:
    'Der Server zeigt für Ihr Konto andere Schlüssel als die, die Sie erstellt haben. Ihre Kontakte werden womöglich getäuscht.',
  MESSAGE_MISSING:
    'In einem Ihrer Gespräche fehlt eine Nachricht: Der Server hat sie nicht ausgeliefert. Die Stelle ist dort markiert.',
  OWN_KEYS_OLDER: 'Der Server hat ältere Schlüssel Ihres Kontos zurückgegeben, als dieser Browser kennt.',
  OWN_KEYS_DAMAGED:
    'Der Server hat einen der Schlüssel verloren oder verändert, die Ihre Nachrichten entschlüsseln. Nachrichten aus diesen Stunden können nicht angezeigt werden.',
  BROWSER_COPIED:
    'Eine weitere Kopie dieses Browsers ist in Gebrauch. Melden Sie sich hier ab, wenn Sie nicht wissen, warum, und entfernen Sie die andere Kopie in den Kontoeinstellungen.',
  BROWSERS_ALTERED:
    'Der Server zeigt in Ihrer Liste einen Browser, der nicht dorthin gehört. Für diesen Browser wird nichts verschlüsselt.',
  BROWSER_MODE_OLDER:
    'Der Server hat eine ältere Einstellung von „Nur genehmigte Browser“ geliefert. Es gilt die, die Sie zuletzt gewählt haben; ein nicht genehmigter Browser behält die strengere bei.',
  ACCEPTED_LOST:
    'Der Server hat die Liste der Schlüssel, die Sie angenommen haben, verloren oder verändert. Vergleichen Sie die Sicherheitsnummern erneut.',
  ACCEPTED_OLDER:
    'Der Server hat eine ältere Liste der Schlüssel zurückgegeben, die Sie angenommen haben. Vergleichen Sie die Sicherheitsnummern erneut.',
  ACCEPTED_OTHER:
    'Der Server hat eine andere Liste angenommener Schlüssel zurückgegeben, als dieser Browser kennt. Es gilt die Liste in diesem Browser. Vergleichen Sie die Sicherheitsnummern erneut.',
  REQUEST_STRANGE:
    'Der Server zeigt eine Anfrage zu einer Ihrer Dateien von einer Person, der Sie sie nicht gesendet haben. Die Anfrage ist ausgeblendet.',
  KEY_DESTROYED: 'Der Schlüssel für diese Stunden wurde vernichtet.',
  RECOVERY_KEY_WRONG: 'Das ist nicht Ihr aktueller Konto-Wiederherstellungsschlüssel.',
  BEFORE_APPROVAL:
    'Das ist aus der Zeit vor Ihrer ersten Nutzung dieses Browsers, der nicht genehmigt ist. Genehmigen Sie ihn in den Kontoeinstellungen, oder lesen Sie es in einem genehmigten Browser.',
  MESSAGE_SIGNATURE:
    'Diese Nachricht wird nicht angezeigt: Sie wurde nicht mit dem Schlüssel signiert, den Sie angenommen haben.',
  MESSAGE_BETWEEN_KEYS:
    'Diese Nachricht wird nicht angezeigt: Der Server datiert sie auf die Zeit, bevor Sie den aktuellen Schlüssel angenommen haben, und sie wurde mit keinem Schlüssel signiert, den Sie angenommen haben. Hat die Person ihre Schlüssel seither ersetzt, bitten Sie sie, die Nachricht noch einmal zu senden.',
  MESSAGE_COMMITMENT: 'Diese Nachricht wird nicht angezeigt: Ihr Inhalt hat eine Integritätsprüfung nicht bestanden.',
  MESSAGE_ALTERED: 'Diese Nachricht wird nicht angezeigt: Sie wurde unterwegs verändert.',
  MESSAGE_MISPLACED: 'Diese Nachricht wird nicht angezeigt: Sie gehört nicht dorthin, wo der Server sie zeigt.',
  DELETION_UNSIGNED:
    'Diese Nachricht wird nicht angezeigt: Der Server nennt sie gelöscht, aber der Absender hat das nicht signiert.',
  MESSAGE_UNREADABLE: 'Diese Nachricht lässt sich nicht entschlüsseln.',
  MESSAGE_DESTROYED:
    'Diese Nachricht lässt sich nicht entschlüsseln: Der Schlüssel für diese Stunden wurde vernichtet.',
  FILE_DAMAGED:
    'Die Datei wurde unterwegs verändert oder ist nicht die, die gesendet wurde. Es wurde nichts gespeichert.',
  METADATA_STAYS:
    'Ort, Zeit und Kameradaten lassen sich aus diesem Bild nicht entfernen. Um es unverändert zu teilen, schalten Sie „Metadaten von Fotos entfernen“ aus und versuchen Sie es erneut.',
  STORAGE_FAILED:
    'Dieser Browser speichert die Daten nicht, die Privity benötigt. Erlauben Sie dieser Website, Daten zu speichern, oder geben Sie Speicherplatz frei, und versuchen Sie es erneut.',
  EMPTY: 'Schreiben Sie zuerst etwas.',
  TOO_LONG: 'Eine Nachricht hat höchstens 500 Zeichen.',
  ARRIVAL_UNKNOWN: 'Es ist nicht bekannt, ob diese Nachricht angekommen ist.',
  TOO_OLD: 'Diese Nachricht hat länger gewartet, als Nachrichten aufbewahrt werden, und wurde nicht gesendet.',
}
