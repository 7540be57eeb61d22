// German texts of field errors and problems.

import type { Translation } from '../translation.ts'

export const faults: Translation['faults'] = {
  required: 'Dieses Feld ist ein Pflichtfeld.',
  notNull: 'Dieses Feld ist ein Pflichtfeld.',
  empty: 'Dieses Feld ist ein Pflichtfeld.',
  unseen: 'Geben Sie mindestens ein sichtbares Zeichen ein.',
  hiddenEnd:
    'Der Name beginnt oder endet mit einem Leerzeichen oder einem unsichtbaren Zeichen ({character}). Entfernen Sie dieses Zeichen.',
  taken: 'Dieser Name ist bereits vergeben.',
  unique: 'Derselbe Wert wird bereits von {who} verwendet.',
  characters: 'Geben Sie höchstens {count} Zeichen ein.',
  bytes:
    'Geben Sie höchstens {count} Bytes ein. Umlaute und Sonderzeichen brauchen je zwei bis vier Bytes.',
  fewCharacters: 'Geben Sie mindestens {count} Zeichen ein.',
  fewDifferent: 'Verwenden Sie mindestens {count} verschiedene Zeichen.',
  dots: 'Ein Name darf nicht nur aus Punkten bestehen.',
  slash: 'Entfernen Sie das Zeichen „/“.',
  control: 'Entfernen Sie unsichtbare Zeichen und Zeichen, die die Schreibrichtung ändern.',
  whole: 'Geben Sie eine ganze Zahl von {least} bis {most} ein.',
  number: 'Geben Sie eine Zahl ein.',
  negative: 'Geben Sie eine Zahl ab 0 ein.',
  digitsBefore: 'Geben Sie höchstens {count} Ziffern vor dem Komma ein.',
  decimals: 'Geben Sie höchstens {count} Nachkommastellen ein.',
  oneOf: 'Wählen Sie einen dieser Werte: {values}.',
  date: 'Geben Sie ein Datum ein.',
  yesOrNo: 'Geben Sie Ja oder Nein ein.',
  folderGone: 'Diesen Ordner gibt es nicht. Wählen Sie einen anderen.',
  userGone: 'Diesen Benutzer gibt es nicht. Wählen Sie einen anderen.',
  inItself: 'Ein Ordner kann nicht in sich selbst oder in seine Unterordner verschoben werden.',
  past: 'Wählen Sie einen Zeitpunkt in der Zukunft.',
  beyondKey:
    'Der neue Schlüssel kann nicht länger gelten als der Schlüssel, der ihn anlegt. Wählen Sie einen Zeitpunkt bis {until}.',
  endFirst: 'Das Ende liegt vor dem Anfang.',
  eventYear:
    'Wählen Sie ein Datum von {first} bis {last}. Kalender-Apps können andere Daten nicht lesen.',
  untilFirst: 'Die Serie endet vor ihrem ersten Termin.',
  token: 'Geben Sie ein kurzes Wort wie html, stml oder pdf ein: Buchstaben, Ziffern und . + _ -',
  moreThanOwn: 'Sie können nicht mehr Rechte vergeben, als Sie selbst haben.',
  noText: 'Diese Datei ({type}) ist kein Text. Laden Sie stattdessen eine neue Version hoch.',
  readOnly: 'Dieses Feld lässt sich nicht ändern.',
  noQry: 'Diese Suche passt nicht zu den Spalten: {why}',
  unknown: 'Der Server hat diesen Wert abgelehnt: {detail}',
}

export const refusals: Translation['refusals'] = {
  'ambiguous-column': 'Der Spaltenname ist mehrdeutig.',
  'answer-lost':
    'Die Anfrage wurde bereits verarbeitet, ihr Ergebnis ist aber nicht mehr verfügbar.',
  'bad-qry': 'Der Server hat die Suche nicht verstanden.',
  'bad-request': 'Der Server hat die Anfrage nicht verstanden.',
  'content-damaged': 'Der gespeicherte Inhalt ist beschädigt und kann nicht angezeigt werden.',
  'headers-too-large': 'Die Anfrage ist zu lang. Verwenden Sie weniger oder kürzere Bedingungen.',
  'idempotency-key-in-use': 'Dieselbe Anfrage wird noch verarbeitet.',
  'idempotency-key-reused': 'Dieselbe Anfrage-ID wurde schon für eine andere Anfrage verwendet.',
  'in-use': 'Das wird noch verwendet.',
  internal: 'Auf dem Server ist ein interner Fehler aufgetreten. Nichts wurde geändert.',
  'invalid-content': 'Einige Werte sind ungültig.',
  'key-required': 'Sie sind nicht angemeldet.',
  'not-empty': 'Der Ordner ist nicht leer.',
  'not-published': 'Das ist nicht veröffentlicht.',
  'address-taken': 'Eine andere Live-Datei hat bereits diese Adresse.',
  'record-changed': 'Jemand anderes hat das inzwischen geändert.',
  'not-unique': 'Ein anderer Datensatz hat denselben Wert.',
  'outcome-unknown':
    'Es ist nicht bekannt, ob die Änderung ausgeführt wurde. Laden Sie die Seite neu und prüfen Sie es.',
  'record-damaged': 'Der Datensatz ist beschädigt und kann nicht angezeigt werden.',
  'request-timeout': 'Die Anfrage ist nicht rechtzeitig vollständig angekommen.',
  'schema-conflict': 'Die neuen Spalten passen nicht zu den vorhandenen Werten.',
  'session-required': 'Melden Sie sich dafür an.',
  'stml-invalid': 'Das STML ist nicht wohlgeformt.',
  'uri-too-long': 'Die Anfrage ist zu lang. Verwenden Sie weniger oder kürzere Bedingungen.',
}
