// Texts of the rules of entries in the schema editor.

export const entryRules = {
  title: 'Regeln für Einträge',
  labels: { CHECK: 'Bedingung', UNIQUE: 'Zusammen eindeutig' },
  hints: {
    CHECK:
      'CHECK: ein Ausdruck über die Spalten, den jeder Eintrag erfüllen muss, zum Beispiel price > 0 AND until >= since.',
    UNIQUE:
      'UNIQUE: die Namen von Spalten, durch Kommas getrennt. Keine zwei Einträge haben in diesen Spalten dieselbe Kombination von Werten.',
  },
  faults: {
    CHECK: 'Schließen Sie jede Klammer und jedes Anführungszeichen.',
    UNIQUE:
      'Geben Sie die Namen von mindestens zwei verschiedenen Spalten an, durch Kommas getrennt.',
  },
  add: { CHECK: 'Bedingung hinzufügen', UNIQUE: 'Eindeutige Spalten hinzufügen' },
  remove: '{rule} entfernen',
}
