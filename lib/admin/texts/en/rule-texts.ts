// Texts of the rules of entries in the schema editor.

export const entryRules = {
  title: 'Entry rules',
  labels: { CHECK: 'Condition', UNIQUE: 'Unique together' },
  hints: {
    CHECK:
      'CHECK: an expression over the columns that each entry must satisfy, such as price > 0 AND until >= since.',
    UNIQUE:
      'UNIQUE: the names of columns, separated by commas. No two entries have the same combination of values in these columns.',
  },
  faults: {
    CHECK: 'Close each parenthesis and each quotation mark.',
    UNIQUE: 'Enter the names of at least two different columns, separated by commas.',
  },
  add: { CHECK: 'Add condition', UNIQUE: 'Add unique columns' },
  remove: 'Remove {rule}',
} as const
