// German texts of the palette and the keyboard shortcuts.

import type { Translation } from '../translation.ts'

export const palette: Translation['palette'] = {
  help: '↑ ↓ wählen aus, Eingabe öffnet, Esc schließt. Ein Teil des Namens genügt.',
  nothing: 'Nichts gefunden.',
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
  title: 'Tastenkürzel',
  here: 'Auf dieser Seite',
  everywhere: 'Überall',
  palette: 'Seiten und Aktionen suchen',
  list: 'Tastenkürzel anzeigen',
  close: 'Offenen Dialog schließen',
  fold: 'Seitenleiste ein- oder ausklappen',
  lists: 'In Listen',
  move: 'Nächstes oder vorheriges Element',
  select: 'Auswählen',
  range: 'Bereich auswählen',
  forms: 'In Formularen',
  send: 'Speichern',
  space: 'Leertaste',
  shift: 'Umschalt',
  enter: 'Eingabe',
}
