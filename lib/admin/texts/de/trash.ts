// German texts of the trash.

import type { Translation } from '../translation.ts'

export const trash: Translation['trash'] = {
  intro:
    'Sie können gelöschte Dateien, Ordner, Menüs, Datentabellen, Kalender, Einträge und Termine wiederherstellen.',
  empty: 'Der Papierkorb ist leer',
  emptyText: 'Hier stehen gelöschte Elemente, die Sie wiederherstellen können.',
  noneFound: 'Keine gelöschten Elemente dieses Typs',
  kind: 'Datensatztyp',
  all: 'Alle Datensatztypen',
  kinds: {
    asset_file: 'Datei',
    asset_category: 'Ordner',
    file_group: 'Menü',
    datatable: 'Datentabelle',
    calendar: 'Kalender',
    datatable_entry: 'Datentabelleneintrag',
    calendar_entry: 'Kalendertermin',
  },
  name: 'Name',
  entry: 'Eintrag {id}',
  path: 'Früherer Ort',
  by: 'Gelöscht von',
  when: 'Gelöscht',
  count: 'Datensätze',
  size: 'Größe',
  actions: 'Aktionen',
  restore: 'Wiederherstellen',
  restoreName: '{name} wiederherstellen',
  restored: '{name} wurde wiederhergestellt.',
  remove: 'Endgültig löschen',
  removeName: '{name} endgültig löschen',
  removeText: 'Das lässt sich nicht rückgängig machen.',
  removed: '{name} wurde endgültig gelöscht.',
  emptyNow: 'Papierkorb leeren',
  emptyTitle: {
    one: '{count} Element endgültig löschen?',
    other: '{count} Elemente endgültig löschen?',
  },
  emptied: {
    one: '{count} Element wurde endgültig gelöscht.',
    other: '{count} Elemente wurden endgültig gelöscht.',
  },
  busy: 'Läuft noch',
}
