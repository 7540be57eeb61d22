// German texts of the text editor.

import type { Translation } from '../translation.ts'

export const editor: Translation['editor'] = {
  edit: 'Bearbeiten',
  toFile: 'Zurück zur Datei',
  noText: 'Diese Datei lässt sich hier nicht bearbeiten: Sie ist kein Text oder zu groß',
  notForYou: 'Sie dürfen diese Datei nicht ändern',
  textOf: 'Text von {name}',
  tabHint: 'Tab rückt ein. Escape, dann Tab verlässt den Editor. Strg+S speichert, Strg+F sucht.',
  place: '{line}:{column}',
  moreActions: 'Weitere Speicheroptionen',
  wants: {
    save: 'Speichern',
    stage: 'Speichern und vormerken',
    publish: 'Speichern und veröffentlichen',
  },
  done: {
    save: 'Als Version {version} gespeichert.',
    stage: 'Version {version} ist vorgemerkt.',
    publish: 'Version {version} ist live.',
  },
  merged:
    'Jemand anderes hat zuerst gespeichert. Beide Texte wurden als Version {version} zusammengeführt.',
  mergedUnsaved:
    'Jemand anderes hat zuerst gespeichert. Beide Texte wurden zusammengeführt. Prüfen Sie das Ergebnis und speichern Sie erneut.',
  unchanged: 'Seit dem letzten Speichern hat sich nichts geändert.',
  saved: 'Gespeichert',
  saving: 'Wird gespeichert …',
  waiting: 'Wartet auf den Server',
  kept: 'Entwurf gesichert',
  keeping: 'Entwurf wird gesichert',
  notKept: 'Entwurf nicht gesichert',
  notKeptTitle: 'Dieser Browser kann keinen Entwurf dieses Textes sichern',
  notKeptText:
    'Der Browserspeicher ist gesperrt oder voll. Speichern Sie Ihren Text, bevor Sie diese Seite verlassen, sonst geht er verloren.',
  mixedEnds:
    'Diese Datei enthält unterschiedliche Zeilenenden. Beim nächsten Speichern werden sie vereinheitlicht.',
  found: 'Entwurf vom {time}',
  foundText:
    'Dieser Browser hat einen Entwurf, der noch nicht gespeichert ist. Er wird unten angezeigt.',
  foundBehind:
    'Dieser Browser hat einen Entwurf, der noch nicht gespeichert ist. Inzwischen wurde Version {version} gespeichert. Beim Speichern werden beide Texte zusammengeführt.',
  keep: 'Weiter bearbeiten',
  compare: 'Unterschiede anzeigen',
  discard: 'Entwurf verwerfen',
  discarded: 'Der Entwurf wurde verworfen.',
  since: 'Ihre Änderungen seit Version {version}',
  elsewhere: 'Diese Datei ist in einem anderen Tab geöffnet',
  elsewhereText:
    'Der Text im anderen Tab ist als Entwurf gesichert. In diesem Tab können Sie die Datei nur lesen.',
  writeHere: 'Hier bearbeiten',
  conflict: 'Sie und jemand anderes haben dieselben Zeilen geändert',
  savedBy: '{name} hat Version {version} am {time} gespeichert.',
  savedMeanwhile: 'Version {version} wurde inzwischen gespeichert.',
  conflictText:
    'Änderungen, die sich nicht überschneiden, sind schon zusammengeführt. An jedem Konflikt unten steht der andere Text über Ihrem. Wählen Sie einen davon oder beide, oder schreiben Sie etwas anderes. Nichts geht verloren: Der andere Text ist eine gespeicherte Version, und Ihrer bleibt ein Entwurf, bis Sie speichern.',
  takeMine: 'Mein Text',
  takeTheirs: 'Anderer Text',
  takeBoth: 'Beide',
  allMine: 'Überall mein Text',
  allTheirs: 'Überall der andere Text',
  toNext: 'Nächster Konflikt',
  backToMine: 'Zurück zu meinem Text',
  bothTexts: 'Beide Texte',
  open: { one: '{count} Konflikt offen', other: '{count} Konflikte offen' },
  allDecided: 'Alle Konflikte sind gelöst.',
  preview: 'Vorschau',
  previewHint:
    'Zeigt Ihren Text mit den Bildern und Stylesheets dieser Website. Skripte laufen hier nicht.',
  previewMarkdown:
    'So stellen die meisten Programme Markdown dar. Besucher erhalten den unveränderten Text.',
  previewStml:
    'Zeigt Ihren Text mit den Bildern und Stylesheets dieser Website. Shortcodes und Felder werden nicht ausgefüllt. Skripte laufen hier nicht.',
  width: 'Breite der Vorschau',
  site: {
    title: 'Vorschau auf der Website',
    toggle: 'Auf der Website',
    hint: 'Zeigt die Website mit vorgemerkten Versionen und mit Live-Versionen, wo nichts vorgemerkt ist. Skripte der Seite laufen. Die Vorschau lädt nach jedem Speichern neu.',
    reload: 'Vorschau neu laden',
    open: 'In neuem Tab öffnen',
    notStaged:
      'Keine Version dieser Datei ist vorgemerkt oder live. Merken Sie eine Version vor, um die Datei auf der Website zu sehen.',
    elsewhere:
      'Diese Datei liegt nicht im Ordner einer Website, deshalb zeigt keine Website sie an.',
  },
  widths: { phone: 'Smartphone', tablet: 'Tablet', desktop: 'Desktop' },
  phrases: {
    'Control character': 'Steuerzeichen',
    'Go to line': 'Gehe zu Zeile',
    go: 'Los',
    close: 'Schließen',
    Find: 'Suchen',
    Replace: 'Ersetzen durch',
    next: 'Weiter',
    previous: 'Zurück',
    all: 'Alle auswählen',
    'match case': 'Groß-/Kleinschreibung',
    regexp: 'Regulärer Ausdruck',
    'by word': 'Ganze Wörter',
    replace: 'Ersetzen',
    'replace all': 'Alle ersetzen',
    'replaced match on line $': 'Ersetzt in Zeile $',
    'replaced $ matches': '$-mal ersetzt',
    'current match': 'Aktueller Treffer',
    'on line': 'in Zeile',
    Diagnostics: 'Fehler',
    'No diagnostics': 'Keine Fehler',
    Completions: 'Vorschläge',
    'Selection deleted': 'Auswahl gelöscht',
    '$ unchanged lines': '$ unveränderte Zeilen',
  },
  stml: {
    nul: 'Ein NUL-Zeichen ist kein Text. Entfernen Sie es.',
    outside: 'Außerhalb des Wurzelelements steht Text. Verschieben Sie ihn in <div id="dd.0">.',
    piece: 'Dieses Konstrukt wird nicht geschlossen. Ergänzen Sie {end}',
    doctype: 'Eine Seite darf keinen DOCTYPE haben. Entfernen Sie ihn.',
    entities: 'Eine Seite darf keine Entities deklarieren. Entfernen Sie die Deklaration.',
    secondRoot: 'Es gibt ein zweites Wurzelelement. Verschieben Sie es in <div id="dd.0">.',
    otherRoot:
      'Das Wurzelelement ist nicht <div id="dd.0">. Setzen Sie alle Elemente in ein solches div.',
    depth:
      'Dieses Element ist tiefer als {count} Ebenen verschachtelt. Verschachteln Sie die Seite weniger tief.',
    zone: 'Die id „{id}“ wird auch in Zeile {line} verwendet. Geben Sie jeder Zone eine eigene id.',
    closesNothing: '{tag} schließt kein Element. Entfernen Sie es.',
    closesOther:
      '{tag} schließt nicht <{open}> aus Zeile {line}. Ergänzen Sie davor </{open}>, oder entfernen Sie es.',
    open: '<{name}> wird nicht geschlossen. Ergänzen Sie </{name}>.',
    noRoot: 'Die Seite hat kein Wurzelelement. Setzen Sie den Inhalt in <div id="dd.0">.',
    tag: 'Das Tag <{name} wird nicht geschlossen. Ergänzen Sie > am Ende.',
    quote: 'Dieser Wert in Anführungszeichen wird nicht geschlossen. Ergänzen Sie {mark} am Ende.',
  },
}
