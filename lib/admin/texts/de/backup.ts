// Was die Seite der Sicherungen sagt.

import type { Translation } from '../translation.ts'

export const backup: Translation['backup'] = {
  intro: 'Eine Kopie der ganzen Site zu einem Zeitpunkt, während sie weiterläuft.',
  now: 'Jetzt eine herunterladen',
  download: 'Sicherung herunterladen',
  toDisk: 'Der Browser fragt, wohin, und schreibt sie dorthin, während sie kommt.',
  byBrowser: 'Der Browser lädt sie herunter und zeigt, wie weit er ist.',
  handed: 'Der Browser lädt die Sicherung jetzt herunter. Sie ist vollständig, wenn er fertig ist.',
  running: 'Die Sicherung kommt',
  size: 'Bisher',
  speed: 'Tempo',
  elapsed: 'Seit',
  stay: 'Es geht weiter, solange diese Seite offen ist.',
  done: 'Die Sicherung ist gespeichert: {size}.',
  stopped: 'Die Sicherung wurde abgebrochen. Was davon geschrieben wurde, ist keine.',
  busy: 'Es läuft schon eine Sicherung',
  busyText: 'Immer nur eine wird gesendet. Danach ist Zeit für die nächste.',
  whatIsIn: 'Was darin ist',
  contents: {
    files: 'Alle Dateien und Ordner mit allen Versionen, veröffentlicht oder nicht',
    modules: 'Alle Datentabellen und Kalender mit allen Einträgen',
    people: 'Benutzer, Rollen und Schlüssel',
    trail: 'Das Protokoll',
    moment: 'Ihr Zeitpunkt: was vorher gespeichert wurde, ist darin, was später kam, nicht',
  },
  secret: 'So geheim wie die Site',
  secretText:
    'Aller Inhalt ist darin, auch nie veröffentlichter, und alles, was die Site von Benutzern und Schlüsseln weiß. Sie gehört dorthin, wo Passwörter aufgehoben werden.',
  regular: 'Regelmäßige Sicherungen',
  regularText: 'Auf dem Rechner des Servers. Mit der vorigen kostet nur das Neue Zeit und Platz:',
  onMachine: 'Sicherung auf dem Rechner',
  elsewhere:
    'Von einem anderen Rechner, mit einem Schlüssel mit allen Rechten an der Stelle von KEY. Abgerissenes fällt beim Zurückholen auf:',
  fromElsewhere: 'Sicherung von anderswo',
  restore: 'Zurückholen',
  restoreText: 'In ein Verzeichnis, das leer ist oder fehlt; damit startet dann der Server.',
}
