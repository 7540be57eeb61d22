// German texts of comments.

import type { Translation } from '../translation.ts'

export const comments: Translation['comments'] = {
  title: 'Kommentare',
  none: 'Noch keine Kommentare',
  about: 'Nur wer Entwürfe sehen darf, sieht Kommentare. Mit @Name erwähnen Sie jemanden.',
  write: 'Neuer Kommentar',
  text: 'Kommentar',
  reply: 'Antworten',
  writeReply: 'Neue Antwort',
  hint: 'Mit @Name erwähnen Sie jemanden. Strg+Eingabe sendet den Kommentar.',
  send: 'Kommentieren',
  save: 'Speichern',
  people: 'Personen zum Erwähnen',
  resolve: 'Als erledigt markieren',
  reopen: 'Wieder öffnen',
  resolved: 'Erledigt',
  edit: 'Kommentar bearbeiten',
  delete: 'Kommentar löschen',
  deleteTitle: 'Diesen Kommentar löschen?',
  deleteText: 'Der Kommentar wird für alle gelöscht. Das lässt sich nicht rückgängig machen.',
  deleteThread:
    'Der Kommentar und die Antworten darauf werden für alle gelöscht. Das lässt sich nicht rückgängig machen.',
  deleteIt: 'Löschen',
  deleted: 'Der Kommentar wurde gelöscht.',
  showResolved: {
    one: '{count} erledigten Kommentar anzeigen',
    other: '{count} erledigte Kommentare anzeigen',
  },
  hideResolved: 'Erledigte Kommentare ausblenden',
}
