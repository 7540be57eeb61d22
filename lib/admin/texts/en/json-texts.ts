// Texts of the tree view of JSON columns.

export const jsonTree = {
  tree: 'Tree view',
  expand: 'Content of {name}',
  kindOf: 'Type of {name}',
  nameOf: 'Name of {name}',
  valueOf: 'Value of {name}',
  item: 'Item {number}',
  add: 'Add to {name}',
  remove: 'Remove {name}',
  nameTaken: 'Another value has this name.',
  noNumber: 'Enter a number, such as -12.5. Very long numbers are kept as text.',
  more: {
    one: '{count} more value is in the text view.',
    other: '{count} more values are in the text view.',
  },
  kinds: {
    string: 'text',
    number: 'number',
    boolean: 'yes or no',
    null: 'nothing (null)',
    object: 'object',
    array: 'list',
  },
} as const
