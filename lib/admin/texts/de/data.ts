// Was die Seiten der Datentabellen und Kalender sagen, außer zu Einträgen.

import type { Translation } from '../translation.ts'

export const data: Translation['data'] = {
  title: 'Daten',
  one: 'Datentabelle',
  toAll: 'Zu allen Daten',
  parts: 'Teile dieser Datentabelle',
  partNames: { entries: 'Einträge', schema: 'Schema', api: 'API' },
}
