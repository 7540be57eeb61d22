// German texts of the dashboard.

import type { Translation } from '../translation.ts'

export const dashboard: Translation['dashboard'] = {
  intro:
    'Aktueller Zustand des Servers. Die Zahlen werden alle zwei Sekunden aktualisiert, solange diese Seite sichtbar ist.',
  pause: 'Pausieren',
  unknown: '–',
  sinceStart: 'Seit dem Start des Servers.',
  ofWindow: 'Aus den letzten zehn Sekunden, ohne die Anfragen dieser Seite.',
  notReady: 'Der Server nimmt nicht alle Anfragen an',
  warning: 'Warnung',
  givenUp: 'Der Server hat die Zustellung an einen Webhook eingestellt',
  givenUpText:
    'Es wird nichts mehr gesendet. Beheben Sie das Problem beim Empfänger und setzen Sie den Webhook dann fort:',
  charts: 'Die letzten 15 Minuten',
  asTable: 'Als Tabelle anzeigen',
  time: 'Zeit',
  requests: 'Anfragen',
  latency: 'Antwortzeit',
  commits: 'Commits',
  waiting: 'Wartende Aufgaben',
  loop: 'Event-Loop-Verzögerung',
  memory: 'Arbeitsspeicher',
  lines: {
    half: 'Median',
    slowest: 'p99',
    commits: 'Commits',
    inProgress: 'Anfragen',
    tasks: 'Aufgaben',
    memory: 'alle Prozesse',
  },
  tiles: {
    requests: 'Anfragen',
    inProgress: '{count} in Bearbeitung',
    failed: 'Fehler',
    refused: '{rate} abgelehnt',
    latency: 'Antwortzeit',
    slowest: 'p99: {time}',
    commits: 'Commits',
    loop: 'Event-Loop-Verzögerung',
    cpu: 'CPU {part}',
    memory: 'Arbeitsspeicher',
    processes: { one: '{count} Prozess', other: '{count} Prozesse' },
    free: 'Freier Speicherplatz',
    ofDisk: 'von {size}',
    versions: 'Versionen',
    files: 'von {count} Dateien',
  },
  disk: 'Festplatte',
  disks: { both: 'Datensätze und Inhalte', records: 'Datensätze', contents: 'Inhalte' },
  recordsFile: 'Datensätze',
  contents: { one: '{count} Inhaltsobjekt', other: '{count} Inhaltsobjekte' },
  damaged: 'Beschädigte Versionen',
  records: 'Gesamtzahlen',
  kinds: {
    asset_file: 'Dateien',
    asset_file_version: 'Versionen',
    asset_category: 'Ordner',
    datatable: 'Datentabellen',
    datatable_entry: 'Datentabelleneinträge',
    calendar: 'Kalender',
    calendar_entry: 'Kalendertermine',
    user: 'Benutzer',
    api_key: 'API-Schlüssel',
    audit: 'Protokollzeilen',
  },
  processes: 'Prozesse',
  writes: 'Liest und schreibt',
  reads: 'Liest',
  known: {
    'documents-public': {
      title: 'Die Dokumentation der Module ist öffentlich',
      text: 'Andere Rechner erreichen diesen Server, und das Dokument der Modul-API zeigt die Namen und Spalten aller Module ohne Schlüssel. Ist das nicht beabsichtigt, starten Sie den Server mit --docs keyed.',
    },
    'few-files': {
      title: 'Das Limit für offene Dateien ist zu niedrig',
      text: 'Das Betriebssystem erlaubt weniger offene Dateien, als --max-connections erfordert. Ist das Limit erreicht, lehnt der Server neue Verbindungen ab. Erhöhen Sie das Limit (LimitNOFILE= in der systemd-Unit oder ulimit -n) oder senken Sie --max-connections.',
    },
    'few-processes': {
      title: 'Einige Prozesse sind nicht verfügbar',
      text: 'Einige der mit --processes angeforderten Prozesse sind beendet, antworten nicht oder starten noch. Der Server ersetzt beendete Prozesse. Das Log zeigt, warum ein Prozess beendet wurde.',
    },
    'live-tree-behind': {
      title: 'Das Live-Verzeichnis ist nicht aktuell',
      text: 'Dateien konnten nicht in das Verzeichnis von --live-tree geschrieben werden, deshalb liefert ein Webserver aus diesem Verzeichnis alte Dateien aus. Prüfen Sie die Festplatte und das Log. Der Server versucht es jede Minute erneut.',
    },
    'live-tree-skipped': {
      title: 'Im Live-Verzeichnis fehlen Dateien',
      text: 'Die Festplatte von --live-tree nimmt den Namen einer Datei nicht an, die gespeicherten Bytes sind beschädigt, oder zwei Live-Dateien haben denselben Namen. Das Log führt die Dateien auf.',
    },
    'pictures-unsupported': {
      title: 'Bilder können nicht verkleinert werden',
      text: 'Die Bildbibliothek (sharp) konnte nicht geladen werden, deshalb erhalten neue Bilder keine Maße und keine Vorschau. Installieren Sie ihr Paket für diese Plattform und starten Sie den Server neu.',
    },
    'site-hidden': {
      title: 'Eine Website zeigt nichts',
      text: 'Der Ordner einer Website existiert nicht oder ist nicht öffentlich, deshalb erhalten Besucher für jede Adresse „Nicht gefunden“. Legen Sie den Ordner an, machen Sie ihn öffentlich oder korrigieren Sie seinen Pfad in --site-origin.',
    },
    'database-away': {
      title: 'Die Datenbank antwortet nicht',
      text: 'Bis die Datenbank antwortet, kann nichts gelesen oder geändert werden. Prüfen Sie PostgreSQL und das Netzwerk.',
    },
    'store-away': {
      title: 'Der Inhaltsspeicher antwortet nicht',
      text: 'Inhalte, die nicht auf diesem Rechner liegen, sind nicht lesbar, und es lassen sich keine Inhalte speichern. Prüfen Sie den Speicher und das Netzwerk.',
    },
    'read-only': {
      title: 'Der Server ist schreibgeschützt',
      text: 'Der Server wurde mit --read-only gestartet, oder das Schreiben auf seine Festplatte ist fehlgeschlagen. Prüfen Sie das Log und die Festplatte und starten Sie den Server ohne --read-only neu.',
    },
    starting: { title: 'Der Server startet', text: 'Er nimmt gleich Anfragen an.' },
    stopping: {
      title: 'Der Server wird beendet',
      text: 'Er schließt laufende Anfragen noch ab und wird dann beendet.',
    },
    'storage-failed': {
      title: 'Der Datenspeicher ist ausgefallen',
      text: 'Der Server wird beendet und muss neu gestartet werden. Das Log zeigt die Ursache.',
    },
    'storage-slow': {
      title: 'Der Datenspeicher antwortet nicht',
      text: 'Eine Änderung wartet seit langer Zeit auf die Festplatte oder die Datenbank. Lesen ist weiter möglich. Prüfen Sie die Festplatte oder die Datenbank und andere Programme, die sie verwenden.',
    },
    'disk-full': {
      title: 'Zu wenig freier Speicherplatz',
      text: 'Neue Inhalte werden abgelehnt, bis mehr Platz frei ist. Ist nur noch sehr wenig Platz frei, werden alle Änderungen außer dem Löschen abgelehnt. Lesen ist weiter möglich. Schaffen Sie Platz oder senken Sie --min-free-mb und --min-free-percent.',
    },
  },
}
