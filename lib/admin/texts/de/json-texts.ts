// Texts of the tree view of JSON columns.

export const jsonTree = {
  tree: 'Baumansicht',
  expand: 'Inhalt von {name}',
  kindOf: 'Typ von {name}',
  nameOf: 'Name von {name}',
  valueOf: 'Wert von {name}',
  item: 'Element {number}',
  add: 'Zu {name} hinzufügen',
  remove: '{name} entfernen',
  nameTaken: 'Ein anderer Wert hat diesen Namen.',
  noNumber:
    'Geben Sie eine Zahl ein, zum Beispiel -12.5. Sehr lange Zahlen bleiben als Text erhalten.',
  more: {
    one: '{count} weiterer Wert steht in der Textansicht.',
    other: '{count} weitere Werte stehen in der Textansicht.',
  },
  kinds: {
    string: 'Text',
    number: 'Zahl',
    boolean: 'ja oder nein',
    null: 'nichts (null)',
    object: 'Objekt',
    array: 'Liste',
  },
}
