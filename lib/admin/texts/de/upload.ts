// Die Warteschlange der Uploads.

import type { Translation } from '../translation.ts'

export const upload: Translation['upload'] = {
  title: 'Uploads',
  files: 'Dateien, die hochgeladen werden',
  upload: 'Hochladen',
  chooseFiles: 'Dateien…',
  chooseFolder: 'Ein ganzer Ordner…',
  afterwards: 'Nach dem Hochladen',
  keepUnseen: 'Niemand sieht sie',
  publishAfter: 'Gleich veröffentlicht',
  dropHere: 'Hier ablegen, um nach {name} hochzuladen',
  all: 'Alle Uploads',
  going: '{done} von {all} hochgeladen',
  landed: { one: '{count} Datei hochgeladen', other: '{count} Dateien hochgeladen' },
  more: { one: 'und {count} weitere', other: 'und {count} weitere' },
  smaller: 'Weniger zeigen',
  larger: 'Jede Datei zeigen',
  cancelAll: 'Alle abbrechen',
  cancelOne: '{name} abbrechen',
  retryOne: '{name} noch einmal versuchen',
  retryAll: { one: '{count} noch einmal versuchen', other: '{count} noch einmal versuchen' },
  clash: 'Der Name {name} ist vergeben',
  clashText: 'Eine Datei dieses Namens gibt es schon.',
  clashAll: 'Für alle vergebenen Namen',
  clashes: {
    one: '{count} Name ist vergeben.',
    other: '{count} Namen sind vergeben. Für alle:',
  },
  replace: 'Neue Version',
  keep: 'Beide behalten',
  skip: 'Auslassen',
  otherType:
    '{file} hat einen anderen Typ als {name}. Den neuen Namen und den Typ {type} übernehmen?',
  takeType: 'Neuen Namen und Typ übernehmen',
  states: {
    waiting: 'wartet',
    sending: 'unterwegs',
    done: 'hochgeladen',
    failed: 'gescheitert',
    clash: 'der Name ist vergeben',
    otherType: 'von anderem Typ',
    skipped: 'ausgelassen',
    cancelled: 'abgebrochen',
  },
}
