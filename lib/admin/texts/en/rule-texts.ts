// Texts of the rules of entries in the schema editor.

export const entryRules = {
  title: 'Rules of entries',
  labels: { CHECK: 'Condition', UNIQUE: 'Unique together' },
  hints: {
    CHECK:
      'CHECK: an expression over the columns that each entry has to satisfy, such as price > 0 AND until >= since.',
    UNIQUE:
      'UNIQUE: the names of columns, separated by commas, of which no two entries have the same values.',
  },
  faults: {
    CHECK: 'Close each parenthesis and each quotation mark.',
    UNIQUE: 'Enter the names of at least two different columns, separated by commas.',
  },
  add: { CHECK: 'Add condition', UNIQUE: 'Add unique columns' },
  remove: 'Remove {rule}',
} as const
