// Was die Palette und die Liste der Tasten sagen.

import type { Translation } from '../translation.ts'

export const palette: Translation['palette'] = {
  help: '↑ ↓ wählen, Enter öffnet, Esc schließt. Ein Teil des Namens genügt.',
  nothing: 'Nichts heißt so.',
  found: { one: '{count} gefunden', other: '{count} gefunden' },
  groups: {
    recent: 'Zuletzt geöffnet',
    here: 'Auf dieser Seite',
    pages: 'Seiten',
    actions: 'Seiten und Aktionen',
    asset_category: 'Ordner',
    asset_file: 'Dateien',
    datatable: 'Datentabellen',
    calendar: 'Kalender',
    event: 'Termine',
    user: 'Benutzer',
    api_key: 'API-Schlüssel',
  },
}

export const shortcuts: Translation['shortcuts'] = {
  title: 'Tasten',
  here: 'Auf dieser Seite',
  everywhere: 'Überall',
  palette: 'Alles finden und erledigen',
  list: 'Alle Tasten zeigen',
  close: 'Schließen, was offen ist',
  lists: 'In Listen',
  move: 'Zum nächsten oder vorigen',
  select: 'Auswählen',
  range: 'Alle bis hierher auswählen',
  forms: 'In Formularen',
  send: 'Speichern',
  space: 'Leertaste',
  shift: 'Umschalt',
}
