// German texts of schedules.

import type { Translation } from '../translation.ts'

export const schedule: Translation['schedule'] = {
  action: 'Planen',
  instead: 'Planen …',
  title: '{name} planen',
  titleOfMany: { one: '{count} Datei planen', other: '{count} Dateien planen' },
  times: 'Die Zeiten gelten in der Zeitzone {zone}.',
  publish_at: 'Veröffentlichen am',
  unpublish_at: 'Veröffentlichung aufheben am',
  stage_at: 'Vormerken am',
  save: 'Planung speichern',
  saved: 'Planung gespeichert.',
  savedFor: {
    one: 'Planung für {count} Datei gespeichert.',
    other: 'Planung für {count} Dateien gespeichert.',
  },
  mixed:
    'Die Dateien haben verschiedene Zeitpunkte. Lassen Sie dieses Feld leer, um sie beizubehalten.',
  clear: {
    publish_at: 'Alle Zeitpunkte für die Veröffentlichung entfernen',
    unpublish_at: 'Alle Zeitpunkte für das Aufheben der Veröffentlichung entfernen',
    stage_at: 'Alle Zeitpunkte für das Vormerken entfernen',
  },
  older: 'Geplant ist Version {version}. Neuere Änderungen sind nicht enthalten.',
  newest: 'Stattdessen die neueste Version planen',
  olderOfMany: {
    one: 'Für {count} Datei ist eine ältere Version geplant. Neuere Änderungen sind nicht enthalten.',
    other:
      'Für {count} Dateien sind ältere Versionen geplant. Neuere Änderungen sind nicht enthalten.',
  },
  newestOfMany: 'Stattdessen die neuesten Versionen planen',
  skipped:
    'Diese Zeit gibt es nicht, weil die Uhren vorgestellt werden. Wählen Sie eine andere Zeit.',
  twice:
    'Diese Zeit gibt es zweimal, weil die Uhren zurückgestellt werden. Wählen Sie unten eine aus.',
  which: 'Welche der beiden Zeiten?',
  first: 'Die erste, bevor die Uhren zurückgestellt werden',
  second: 'Die zweite, nachdem die Uhren zurückgestellt wurden',
  intro:
    'Dateien, die zu einem geplanten Zeitpunkt veröffentlicht oder vorgemerkt werden oder deren Veröffentlichung dann endet.',
  empty: 'Nichts ist geplant',
  emptyText: 'Wählen Sie unter „Inhalte“ eine oder mehrere Dateien aus und dann „Planen“.',
  toContent: 'Inhalte öffnen',
  failures: 'Fehlgeschlagen',
  kinds: { publish: 'Veröffentlichen', unpublish: 'Veröffentlichung aufheben', stage: 'Vormerken' },
  more: 'Weitere Dateien sind geplant. Die Liste zeigt die nächsten {count} jeder Art.',
  moreInMonth:
    'In diesem Monat sind weitere Dateien geplant. Die Ansicht zeigt die ersten {count} jeder Art.',
}
