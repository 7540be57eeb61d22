// German texts of saved views.

import type { Translation } from '../translation.ts'

export const views: Translation['views'] = {
  button: 'Ansichten',
  removeOne: 'Ansicht löschen',
  reload: 'Gespeicherte Ansichten neu laden',
  save: 'Diese Ansicht speichern',
  name: 'Name der Ansicht',
  hint: 'Suche, Filter und Sortierung dieser Liste. Nur Sie sehen Ihre Ansichten.',
  saved: 'Ansicht {name} gespeichert.',
  removeTitle: 'Ansichten löschen',
  remove: '{name} löschen',
  removed: 'Ansicht {name} gelöscht.',
  tooMany: 'Sie haben bereits {count} Ansichten. Löschen Sie zuerst eine Ansicht.',
  tooLong: 'Diese Suche ist zu lang zum Speichern. Verwenden Sie weniger Bedingungen.',
}
