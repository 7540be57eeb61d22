// Texts of the import and the export of entries.

export const transfer = {
  export: 'Export',
  exports: {
    guarded: {
      group: 'Für Tabellenkalkulationen: Apostroph vor Formeln',
      all: 'Als CSV exportieren',
      found: 'Ergebnisse als CSV exportieren',
    },
    excel: {
      group: 'Für Excel: mit richtigen Zeichen und Dezimalkommas',
      all: 'Als CSV für Excel exportieren',
      found: 'Ergebnisse als CSV für Excel exportieren',
    },
    exact: {
      group: 'Für einen erneuten Import: Formeln bleiben unverändert',
      all: 'Unverändert als CSV exportieren',
      found: 'Ergebnisse unverändert als CSV exportieren',
    },
  },
  guarded: {
    one: '{count} Zelle, die eine Tabellenkalkulation als Formel ausführen würde, hat am Anfang einen Apostroph erhalten.',
    other:
      '{count} Zellen, die eine Tabellenkalkulation als Formel ausführen würde, haben am Anfang einen Apostroph erhalten.',
  },
  exporting: 'Wird als CSV exportiert',
  exported: {
    one: '{count} Eintrag wurde exportiert.',
    other: '{count} Einträge wurden exportiert.',
  },
  exportStopped: 'Export abgebrochen. Es wurde keine Datei gespeichert.',
  exportTooLarge:
    'Der Export ist größer als {size} und damit zu groß für diesen Browser. Grenzen Sie die Suche ein.',
  rows: { one: '{count} Eintrag', other: '{count} Einträge' },
  import: 'Import',
  importTitle: 'CSV-Datei importieren',
  importMark: 'Dezimaltrennzeichen',
  importMarks: { '.': 'Punkt: 1234.5', ',': 'Komma: 1234,5' },
  importAmbiguous:
    '{column}: „{text}“ kann zwei Zahlen bedeuten. Schreiben Sie die Zahl ohne Tausendertrennzeichen oder wählen Sie das andere Dezimaltrennzeichen.',
  importDrop: 'Legen Sie hier eine CSV-Datei ab oder wählen Sie eine aus.',
  importChoose: 'Datei auswählen',
  importText:
    'Die erste Zeile nennt die Spalten. Eine Zeile mit der ID eines Eintrags ändert diesen Eintrag. Jede andere Zeile legt einen Eintrag an. Eine leere Zelle bedeutet keinen Wert, "" bedeutet leeren Text.',
  importColumn: 'Spalte in der Datei',
  importTo: 'Zielspalte',
  importSkip: 'Nicht importieren',
  importStart: 'Importieren',
  importing: 'Einträge werden importiert',
  importPartly: 'Einige Zeilen wurden nicht importiert',
  importDone: 'Import abgeschlossen',
  importStopped: 'Import vor dem Ende der Datei abgebrochen',
  importLast: 'Letzte gesendete Zeile: {line}',
  importLength: 'Die Zeile hat {found} Zellen, die Kopfzeile hat {wanted}.',
  importNumber: 'Die ID des Eintrags muss eine ganze Zahl ab 1 sein.',
  importCreated: { one: '{count} Eintrag angelegt', other: '{count} Einträge angelegt' },
  importUpdated: { one: '{count} Eintrag geändert', other: '{count} Einträge geändert' },
  importFailed: {
    one: '{count} Zeile abgelehnt',
    other: '{count} Zeilen abgelehnt',
  },
  importFaults: 'Abgelehnte Zeilen speichern',
  importFaultsSaved: 'Die abgelehnten Zeilen wurden gespeichert.',
  importTwice:
    'Zwei Spalten der Datei haben das Ziel {column}. Wählen Sie für eine davon ein anderes Ziel.',
  importNone:
    'Keine Spalte der Datei hat ein Ziel. Wählen Sie für mindestens eine Spalte ein Ziel.',
  importNoRows: 'Diese Datei hat unter der Kopfzeile keine Zeilen. Wählen Sie eine andere Datei.',
  importChecking: 'Die Datei wird geprüft',
  importNothing: 'Es wurde nichts importiert',
  importFault: {
    encoding:
      'Zeile {line} ist kein UTF-8. Speichern Sie die Datei als UTF-8 (in Excel: „CSV UTF-8“) und wählen Sie sie noch einmal aus.',
    openQuote:
      'In der Tabellenzeile, die in Zeile {line} beginnt, wird ein Anführungszeichen (") nicht geschlossen. Schließen Sie es. Schreiben Sie jedes Anführungszeichen innerhalb eines Textes doppelt ("").',
    strayQuote:
      'In Zeile {line} steht ein Anführungszeichen (") an der falschen Stelle. Setzen Sie den ganzen Text in Anführungszeichen. Schreiben Sie jedes Anführungszeichen innerhalb des Textes doppelt ("").',
    unreadable:
      'Der Browser kann diese Datei nicht lesen. Wenn sie geändert oder verschoben wurde, wählen Sie sie noch einmal aus.',
  },
  importLine: 'Zeile {line}',
  again: 'Weitere Datei importieren',
}
