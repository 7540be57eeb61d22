// Texts of the import and the export of entries.

export const transfer = {
  export: 'Export',
  exports: {
    guarded: {
      group: 'For spreadsheets: adds an apostrophe before formulas',
      all: 'Export as CSV',
      found: 'Export results as CSV',
    },
    excel: {
      group: 'For Excel: opens with correct characters and decimals',
      all: 'Export as CSV for Excel',
      found: 'Export results as CSV for Excel',
    },
    exact: {
      group: 'For importing again: keeps formulas unchanged',
      all: 'Export unchanged as CSV',
      found: 'Export results unchanged as CSV',
    },
  },
  guarded: {
    one: 'A leading apostrophe was added to {count} cell that a spreadsheet would run as a formula.',
    other:
      'A leading apostrophe was added to {count} cells that a spreadsheet would run as formulas.',
  },
  exporting: 'Exporting as CSV',
  exported: { one: '{count} entry was exported.', other: '{count} entries were exported.' },
  exportStopped: 'Export canceled. No file was saved.',
  exportTooLarge:
    'The export is larger than {size}, which is too much for this browser. Narrow the search.',
  rows: { one: '{count} entry', other: '{count} entries' },
  import: 'Import',
  importTitle: 'Import a CSV file',
  importMark: 'Decimal separator',
  importMarks: { '.': 'Point: 1234.5', ',': 'Comma: 1234,5' },
  importAmbiguous:
    '{column}: “{text}” could mean two numbers. Write the number without thousands separators, or choose the other decimal separator.',
  importDrop: 'Drop a CSV file here, or choose one.',
  importChoose: 'Choose a file',
  importText:
    'The first row names the columns. A row with the ID of an entry changes that entry. Any other row creates an entry. An empty cell means no value, and "" means empty text.',
  importColumn: 'Column in the file',
  importTo: 'Target column',
  importSkip: 'Do not import',
  importStart: 'Import',
  importing: 'Importing entries',
  importPartly: 'Some rows were not imported',
  importDone: 'Import finished',
  importStopped: 'Import stopped before the end of the file',
  importLast: 'Last line sent: {line}',
  importLength: 'The row has {found} cells, but the header has {wanted}.',
  importNumber: 'The entry ID must be a whole number of at least 1.',
  importCreated: { one: '{count} entry created', other: '{count} entries created' },
  importUpdated: { one: '{count} entry changed', other: '{count} entries changed' },
  importFailed: { one: '{count} row rejected', other: '{count} rows rejected' },
  importFaults: 'Save rejected rows',
  importFaultsSaved: 'The rejected rows were saved.',
  importTwice:
    'Two columns of the file have the target {column}. Choose a different target for one of them.',
  importNone: 'No column of the file has a target. Choose a target for at least one column.',
  importNoRows: 'This file has no rows below its header. Choose another file.',
  importChecking: 'Checking the file',
  importNothing: 'Nothing was imported',
  importFault: {
    encoding:
      'Line {line} is not UTF-8. Save the file as UTF-8 (in Excel: “CSV UTF-8”) and choose it again.',
    openQuote:
      'In the row that begins on line {line}, a quotation mark (") is not closed. Close it. Inside a text, write each quotation mark twice ("").',
    strayQuote:
      'Line {line} has a quotation mark (") in the wrong place. Put the whole text in quotation marks. Inside the text, write each quotation mark twice ("").',
    unreadable:
      'The browser cannot read this file. If the file was changed or moved, choose it again.',
  },
  importLine: 'Line {line}',
  again: 'Import another file',
} as const
