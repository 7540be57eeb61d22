// German texts of the start page.

import type { Translation } from '../translation.ts'

export const start: Translation['start'] = {
  greeting: 'Willkommen, {name}',
  stepsText: 'In wenigen Schritten veröffentlichen Sie Ihre erste Seite.',
  dismiss: 'Erste Schritte ausblenden',
  unsaved: 'Nicht gespeicherte Änderungen in diesem Browser',
  unpublished: 'Meine Entwürfe',
  changed: 'Seit der Veröffentlichung geändert',
  scheduled: 'Geplant',
  published: 'Kürzlich veröffentlicht',
  recent: 'Zuletzt geöffnet',
  showAll: 'Alle anzeigen',
  nothing: 'Alle Ihre Dateien sind veröffentlicht',
  nothingText: 'Entwürfe, neuere Änderungen und geplante Dateien erscheinen hier.',
  openContent: 'Inhalte öffnen',
  mentions: {
    title: 'Kommentare für Sie',
    entry: '{name}, Eintrag {id}',
    more: 'Es gibt weitere Kommentare. Sie erscheinen, sobald Sie diese als erledigt markieren.',
  },
  changedToday: 'Heute von anderen geändert',
  moreChanges: { one: 'und {count} weitere Änderung', other: 'und {count} weitere Änderungen' },
  failedWebhooks: {
    one: '{count} Webhook schlägt fehl',
    other: '{count} Webhooks schlagen fehl',
  },
  showWebhooks: 'Webhooks anzeigen',
  failedSchedules: {
    one: '{count} geplante Aktion ist fehlgeschlagen',
    other: '{count} geplante Aktionen sind fehlgeschlagen',
  },
  showScheduled: 'Geplante Dateien anzeigen',
  steps: 'Erste Schritte',
  done: 'erledigt',
  fileTitle: 'Eine Seite anlegen oder hochladen',
  fileText:
    'Alle Versionen einer Datei bleiben erhalten, und Besucher sehen eine Datei erst, wenn sie veröffentlicht ist. Zum Hochladen ziehen Sie Dateien und Ordner auf die Liste.',
  publishTitle: 'Die Seite veröffentlichen',
  publishText:
    'Besucher sehen dann die neueste Version. Die Adresse bleibt für alle Versionen dieselbe.',
  tableTitle: 'Eine Datentabelle anlegen',
  tableText:
    'Eine Datentabelle enthält Einträge, die Websites unter ihrer Adresse lesen und schreiben.',
  keyTitle: 'Einen API-Schlüssel für ein Programm anlegen',
  keyText:
    'Eine Website oder ein Skript sendet mit jeder Anfrage einen API-Schlüssel. Sie legen fest, was der Schlüssel darf.',
  lookTitle: 'Umsehen',
  lookText: 'Sie sehen die Ordner, ihre Dateien und welche Version jeder Datei live ist.',
  rights: 'Meine Rechte',
  rightsNone: 'Noch keine. Ein Administrator kann Ihnen eine Rolle zuweisen.',
  everywhere: 'Gesamte Website',
  inFolder: '{path} und Unterordner',
  learn: 'API-Dokumentation',
  learnText:
    'Beide Dokumente beschreiben alle Anfragen und ihre Antworten. Sie können dort auch Anfragen senden.',
  systemText: 'Dateien, Ordner, Benutzer und Schlüssel. Auf jeder Website gleich.',
  moduleText: 'Die Datentabellen und Kalender dieser Website.',
  grants: {
    view: 'Ansehen',
    create: 'Anlegen',
    modify: 'Bearbeiten',
    delete: 'Löschen',
    stage: 'Vormerken',
    publish: 'Veröffentlichen',
    admin: 'Verwalten',
  },
}
