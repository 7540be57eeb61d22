// German texts of the dialog that chooses a file, and of inserted pictures and links.

import type { Translation } from '../translation.ts'

export const picking: Translation['picking'] = {
  insertImage: 'Bild einfügen',
  linkToFile: 'Link auf Seite oder Datei',
  search: 'In allen Ordnern suchen',
  source: 'Anzeigen',
  folder: 'Ordner',
  recent: 'Zuletzt verwendet',
  path: 'Pfad des Ordners',
  allFolders: 'Alle Ordner',
  found: 'Dateien',
  upload: 'Hochladen',
  uploading: '{name} wird hochgeladen',
  uploadingNow: '{name} wird hochgeladen: {percent}',
  uploaded: '{name} wurde hochgeladen. {reason}',
  uploadedTo: '{name} wurde nach {folder} hochgeladen. {reason}',
  changeFolder: 'Ordner ändern',
  uploadFolder: 'Ordner für hochgeladene Dateien',
  uploadFolderHint:
    'Dateien, die Sie in Einträge einfügen oder ziehen, werden in diesen Ordner hochgeladen. Dieser Browser merkt sich Ihre Wahl.',
  uploadHere: 'Hierher hochladen',
  uploadFailed: '{name} wurde nicht hochgeladen, der Text ist unverändert. {reason}',
  dropHere: 'Datei hier ablegen, um sie nach {name} hochzuladen',
  notAPicture: 'Die Datei {name} ist kein Bild. Wählen Sie ein Bild.',
  notAccepted: 'Die Datei {name} hat keinen zulässigen Typ. Zulässige Typen: {types}.',
  emptyAccepted: 'Dieser Ordner enthält keine Dateien eines zulässigen Typs.',
  emptyImages: 'Dieser Ordner enthält keine Bilder.',
  emptyFiles: 'Dieser Ordner enthält keine Dateien.',
  noRecent: 'Hier erscheinen Dateien, die Sie öffnen oder einfügen.',
  nothingFound: 'Kein Dateiname enthält diesen Text.',
  more: 'Mehr anzeigen',
  unseen: {
    notOnSite:
      'Diese Datei liegt außerhalb des Ordners der Website. Die Seiten der Website können sie deshalb nicht anzeigen.',
    notPublic:
      'Der Ordner dieser Datei ist nicht öffentlich. Besucher können die Datei deshalb nicht sehen.',
    notPublished: 'Diese Datei ist nicht veröffentlicht. Besucher können sie deshalb nicht sehen.',
  },
  publish: 'Veröffentlichen',
  altMissing: 'Beschreiben Sie das Bild oder kennzeichnen Sie es als dekorativ.',
  storeAlt: {
    label: 'Diesen Text auch beim Bild speichern',
    live: 'Wenn das Bild in eine andere Seite eingefügt wird, wird dieser Text vorgeschlagen. Das Bild erhält eine neue Version, die sofort veröffentlicht wird.',
    draft:
      'Wenn das Bild in eine andere Seite eingefügt wird, wird dieser Text vorgeschlagen. Das Bild erhält eine neue Version.',
  },
  linkText: 'Linktext',
  back: 'Andere Datei auswählen',
  insert: 'Einfügen',
  add: 'Hinzufügen',
  addCount: { one: '{count} Datei hinzufügen', other: '{count} Dateien hinzufügen' },
  chooseFile: 'Datei auswählen',
  chooseImage: 'Bild auswählen',
  addFiles: 'Dateien hinzufügen',
  addImages: 'Bilder hinzufügen',
}
