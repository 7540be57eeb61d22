// German texts of the backup page.

import type { Translation } from '../translation.ts'

export const backup: Translation['backup'] = {
  intro:
    'Eine Sicherung ist eine Kopie der gesamten Website zu einem Zeitpunkt. Der Server läuft während der Sicherung weiter.',
  now: 'Jetzt herunterladen',
  download: 'Sicherung herunterladen',
  toDisk:
    'Der Browser fragt nach dem Speicherort und schreibt die Sicherung während des Downloads dorthin.',
  byBrowser: 'Der Browser lädt die Sicherung herunter und zeigt den Fortschritt.',
  handed:
    'Der Browser lädt die Sicherung herunter. Sie ist vollständig, sobald der Download abgeschlossen ist.',
  running: 'Sicherung wird heruntergeladen',
  size: 'Empfangen',
  speed: 'Geschwindigkeit',
  elapsed: 'Dauer',
  stay: 'Lassen Sie diese Seite geöffnet, bis der Download abgeschlossen ist.',
  done: 'Sicherung gespeichert: {size}.',
  stopped: 'Sicherung abgebrochen. Der gespeicherte Teil ist keine brauchbare Sicherung.',
  busy: 'Es läuft bereits eine andere Sicherung',
  busyText:
    'Der Server sendet jeweils nur eine Sicherung. Versuchen Sie es erneut, wenn die andere abgeschlossen ist.',
  whatIsIn: 'Inhalt',
  contents: {
    files: 'Alle Dateien und Ordner mit allen Versionen, veröffentlicht oder nicht',
    modules: 'Alle Datentabellen und Kalender mit allen Einträgen',
    people: 'Benutzer, Rollen und Schlüssel',
    trail: 'Das Protokoll',
    moment: 'Alles, was vor dem Zeitpunkt der Sicherung gespeichert wurde, und nichts Späteres',
  },
  secret: 'Sicherungen vertraulich behandeln',
  secretText:
    'Eine Sicherung enthält alle Inhalte, auch unveröffentlichte, und alle gespeicherten Daten über Benutzer und Schlüssel. Bewahren Sie sie dort auf, wo Sie Passwörter aufbewahren.',
  regular: 'Regelmäßige Sicherungen',
  regularText:
    'Führen Sie diesen Befehl auf dem Server aus. Inhalte, die schon in der letzten Sicherung sind, werden per Hardlink übernommen und brauchen keinen zusätzlichen Speicherplatz.',
  onMachine: 'Sicherung auf dem Server',
  elsewhere:
    'Führen Sie diesen Befehl auf einem anderen Rechner aus. Ersetzen Sie KEY durch das Secret eines Schlüssels mit allen Rechten. Ein unvollständiger Download wird beim Wiederherstellen abgelehnt.',
  fromElsewhere: 'Sicherung von einem anderen Rechner',
  restore: 'Wiederherstellen',
  restoreText:
    'Stellen Sie die Sicherung in einem leeren oder neuen Verzeichnis wieder her und starten Sie den Server mit diesem Verzeichnis.',
}
