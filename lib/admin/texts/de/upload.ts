// German texts of the upload queue.

import type { Translation } from '../translation.ts'

export const upload: Translation['upload'] = {
  title: 'Uploads',
  files: 'Dateien dieses Uploads',
  upload: 'Hochladen',
  chooseFiles: 'Dateien …',
  chooseFolder: 'Ordner …',
  afterwards: 'Nach dem Hochladen',
  keepUnseen: 'Als Entwürfe behalten',
  publishAfter: 'Sofort veröffentlichen',
  dropHere: 'Hier ablegen, um nach {name} hochzuladen',
  all: 'Alle Uploads',
  going: '{done} von {all} hochgeladen',
  landed: { one: '{count} Datei hochgeladen', other: '{count} Dateien hochgeladen' },
  more: { one: 'und {count} weitere', other: 'und {count} weitere' },
  smaller: 'Weniger anzeigen',
  larger: 'Alle Dateien anzeigen',
  cancelAll: 'Alle abbrechen',
  cancelOne: '{name} abbrechen',
  retryOne: '{name} erneut versuchen',
  retryAll: { one: '{count} erneut versuchen', other: '{count} erneut versuchen' },
  clash: 'Der Name {name} ist bereits vergeben',
  clashText: 'Eine Datei mit diesem Namen gibt es schon.',
  clashAll: 'Auf alle vergebenen Namen anwenden',
  clashes: {
    one: '{count} Name ist vergeben.',
    other: '{count} Namen sind vergeben. Auf alle anwenden:',
  },
  replace: 'Als neue Version hinzufügen',
  keep: 'Beide behalten',
  skip: 'Überspringen',
  otherType:
    '{file} hat einen anderen Typ als {name}. Den neuen Namen und den Typ {type} verwenden?',
  takeType: 'Neuen Namen und Typ verwenden',
  states: {
    waiting: 'wartet',
    sending: 'wird hochgeladen',
    done: 'hochgeladen',
    failed: 'fehlgeschlagen',
    clash: 'Name vergeben',
    otherType: 'anderer Typ',
    skipped: 'übersprungen',
    cancelled: 'abgebrochen',
  },
}
