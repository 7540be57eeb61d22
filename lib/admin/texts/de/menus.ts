// German texts of the menus of websites.

import type { Translation } from '../translation.ts'

export const menus: Translation['menus'] = {
  intro:
    'Ein Menü ist eine geordnete Liste von Seiten. Ein Shortcode zeigt das Menü in Layouts und Seiten.',
  new: 'Neues Menü',
  create: 'Menü anlegen',
  empty: 'Noch keine Menüs',
  emptyText:
    'Ein Menü erscheint auf jeder Seite, deren Layout es zeigt. So ändern Sie es an einer einzigen Stelle.',
  name: 'Name',
  firstName: 'Hauptmenü',
  folder: 'Ordner',
  folderHint: 'Eine Website zeigt die Menüs ihrer öffentlichen Ordner.',
  count: 'Seiten',
  pages: 'Seiten',
  pagesHint:
    'Besucher sehen den Titel jeder veröffentlichten Seite oder ihren Namen, wenn sie keinen Titel hat. Um einen Titel zu ändern, öffnen Sie die Details der Seite.',
  add: 'Seiten hinzufügen',
  addTitle: 'Seiten zum Menü hinzufügen',
  noPages: 'Dieses Menü hat noch keine Seiten.',
  shortcode: 'Shortcode',
  shortcodeHint:
    'Fügen Sie diesen Shortcode dort in ein Layout oder eine Seite ein, wo das Menü erscheinen soll.',
  isPublic:
    'Dieses Menü liegt in einem öffentlichen Ordner: Besucher sehen eine Änderung, sobald Sie speichern.',
  notPublic: 'Besucher können dieses Menü nicht sehen, weil sein Ordner nicht öffentlich ist.',
  actions: 'Aktionen für dieses Menü',
  delete: 'Löschen',
  deleteTitle: '{name} löschen?',
  deleteText: 'Layouts und Seiten mit seinem Shortcode zeigen dort nichts mehr an.',
  changeTitle: 'Veröffentlichte Seiten ändern?',
  shownOn: {
    one: 'Dieses Menü steht auf {count} veröffentlichter Seite:',
    other: 'Dieses Menü steht auf {count} veröffentlichten Seiten:',
  },
  deleted: '{name} wurde gelöscht.',
  created: '{name} wurde angelegt.',
}
