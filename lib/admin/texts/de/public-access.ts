// German texts of the settings that make folders, datatables and calendars public.

import type { Translation } from '../translation.ts'

export const publicAccess: Translation['publicAccess'] = {
  title: 'Öffentlicher Zugriff',
  titleOf: 'Öffentlicher Zugriff auf {name}',
  inherited: 'Wie im übergeordneten Ordner',
  no: 'Nicht öffentlich',
  hint: 'Gilt auch für Unterordner ohne eigene Einstellung.',
  folder: {
    open: 'Jeder kann die veröffentlichten Dateien dieses Ordners und seiner Unterordner lesen, ohne sich anzumelden.',
    closed: 'Nur Benutzer und Schlüssel mit Zugriff auf diesen Ordner können seine Dateien lesen.',
  },
  website: 'Website-Einstellungen',
  websiteOf: 'Website-Einstellungen von {name}',
  redirects: 'Weiterleitungen',
  redirectsHint:
    'Eine pro Zeile: der alte Pfad, ein Leerzeichen, der neue Pfad oder die neue Adresse. Pfade beginnen in diesem Ordner. Beispiel: /alt /neu. Für alles unter einem Pfad: /alt/* /neu/*. Mit 301 am Ende der Zeile entsteht eine Weiterleitung mit 301, sonst mit 308. Eine veröffentlichte Datei unter dem alten Pfad hat Vorrang.',
  headers: 'Antwort-Header',
  headersHint:
    'Einer pro Zeile, zum Beispiel X-Robots-Tag: noindex. Sie gelten auch für Unterordner. Ein Name ohne Wert lässt einen Header eines übergeordneten Ordners weg.',
  parentUnknown:
    'Der übergeordnete Ordner entscheidet. Sie haben keinen Zugriff auf den übergeordneten Ordner.',
  since: 'Öffentlich seit {time}.',
  sinceAbove: 'Der Ordner {path} ist seit {time} öffentlich.',
  noSite:
    'Diese Einstellungen wirken auf einer Website des Servers. Dieser Ordner ist nicht öffentlich.',
  missing: 'Um das zu ändern, brauchen Sie das Recht, in dem Ordner zu veröffentlichen.',
  datatableKey:
    'Diese Datentabelle ist öffentlich. Ihre öffentlichen Einträge können ohne Schlüssel gelesen werden.',
  calendarKey:
    'Dieser Kalender ist öffentlich. Ohne Schlüssel zeigt eine App seine öffentlichen Termine.',
  columns: 'Öffentliche Spalten',
  allColumns: 'Alle Spalten',
  allColumnsHint: 'Auch Spalten, die später dazukommen.',
  someColumns: 'Ausgewählte Spalten',
  filter: 'Filter',
  filterHint:
    'Eine Suche als JSON, zum Beispiel {"approved": true}. Lassen Sie dieses Feld leer, um alles zu zeigen. Die Suche darf Spalten verwenden, die nicht öffentlich sind.',
  noObject: 'Geben Sie ein JSON-Objekt ein, zum Beispiel {"approved": true}.',
  datatable: {
    closed: 'Nur Benutzer und Schlüssel mit Zugriff können die Einträge dieser Datentabelle lesen.',
    every: 'Jeder kann die Einträge dieser Datentabelle ohne Anmeldung lesen: {columns}.',
    matching:
      'Jeder kann die Einträge dieser Datentabelle ohne Anmeldung lesen: {columns}, nur Einträge, auf die {filter} zutrifft.',
    all: 'alle Spalten',
    some: '{names}',
    none: 'keine Spalten',
  },
  calendar: {
    closed: 'Nur Benutzer und Schlüssel mit Zugriff können die Termine dieses Kalenders lesen.',
    every: 'Jeder kann die Termine dieses Kalenders ohne Anmeldung lesen: {columns}.',
    matching:
      'Jeder kann die Termine dieses Kalenders ohne Anmeldung lesen: {columns}, nur Termine, auf die {filter} zutrifft.',
    all: 'alle Spalten',
    some: 'Titel, Zeiten, {names}',
    none: 'Titel und Zeiten',
  },
}
