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
  make: 'Diesen Ordner öffentlich machen',
  isPublic: '{name} ist öffentlich.',
  view: 'Website ansehen',
  website: 'Website-Einstellungen',
  websiteOf: 'Website-Einstellungen von {name}',
  redirects: 'Weiterleitungen',
  redirectsHint:
    'Eine pro Zeile: der alte Pfad, ein Leerzeichen, der neue Pfad oder die neue Adresse. Pfade sind relativ zu diesem Ordner. Beispiel: /alt /neu. Für alles unter einem Pfad: /alt/* /neu/*. Weiterleitungen haben den Status 308. Für den Status 301 ergänzen Sie 301 am Ende der Zeile. Eine veröffentlichte Datei unter dem alten Pfad hat Vorrang.',
  headers: 'Antwort-Header',
  headersHint:
    'Einer pro Zeile, zum Beispiel X-Robots-Tag: noindex. Die Header gelten auch für Unterordner. Ein Name ohne Wert entfernt einen Header eines übergeordneten Ordners.',
  former: 'Automatische Weiterleitungen',
  formerAbout:
    'Ein früherer Name in diesem Ordner leitet Besucher zum heutigen Pfad der Datei oder des Ordners weiter, bis der Name neu vergeben wird.',
  formerEnd: 'Weiterleitung von {name} beenden',
  formerEndTitle: 'Diese Weiterleitung beenden?',
  formerEndText:
    'Besucher von {name} sehen dann „Nicht gefunden“. Das lässt sich nicht rückgängig machen.',
  formerEndAction: 'Weiterleitung beenden',
  formerEnded: 'Die Weiterleitung ist beendet.',
  formerMore: 'Mehr anzeigen',
  ownMade:
    'Dieser Ordner hat eine veröffentlichte Datei {name}. Websites mit diesem Stammordner zeigen diese Datei anstelle der automatisch erzeugten.',
  parentUnknown:
    'Der übergeordnete Ordner entscheidet, aber Sie haben keinen Zugriff auf diesen Ordner.',
  since: 'Öffentlich seit {time}.',
  sinceAbove: 'Der Ordner {path} ist seit {time} öffentlich.',
  noSite:
    'Dieser Ordner ist nicht öffentlich. Die Einstellungen wirken erst, wenn der Ordner zu einer öffentlichen Website gehört.',
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
    'Eine Abfrage als JSON, zum Beispiel {"approved": true}. Lassen Sie dieses Feld leer, um alles zu zeigen. Die Abfrage darf Spalten verwenden, die nicht öffentlich sind.',
  noObject: 'Geben Sie ein JSON-Objekt ein, zum Beispiel {"approved": true}.',
  datatable: {
    closed: 'Nur Benutzer und Schlüssel mit Zugriff können die Einträge dieser Datentabelle lesen.',
    every: 'Jeder kann die Einträge dieser Datentabelle ohne Anmeldung lesen: {columns}.',
    matching: 'Jeder kann Einträge, auf die {filter} zutrifft, ohne Anmeldung lesen: {columns}.',
    all: 'alle Spalten',
    some: '{names}',
    none: 'keine Spalten',
  },
  calendar: {
    closed: 'Nur Benutzer und Schlüssel mit Zugriff können die Termine dieses Kalenders lesen.',
    every: 'Jeder kann die Termine dieses Kalenders ohne Anmeldung lesen: {columns}.',
    matching: 'Jeder kann Termine, auf die {filter} zutrifft, ohne Anmeldung lesen: {columns}.',
    all: 'alle Spalten',
    some: 'Titel, Zeiten, {names}',
    none: 'Titel und Zeiten',
  },
}
