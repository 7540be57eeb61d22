// The JSON Schema of the columns of a module in responses and bodies.

import { COLUMN_TYPES, MAX_COLUMNS } from '../../shared/column-types.ts'

const REFERENCES = {
  type: ['object', 'null'],
  description: 'The records to which the values refer.',
  required: ['object', 'module_id', 'isMany', 'onDelete', 'accept'],
  properties: {
    object: { type: 'string', enum: ['datatable', 'calendar', 'asset_file'] },
    module_id: { type: ['integer', 'null'], description: 'The datatable or calendar.' },
    isMany: { type: 'boolean', description: 'MANY: a value is a list.' },
    onDelete: { type: 'string', enum: ['restrict', 'set null', 'cascade'] },
    accept: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Media types of accepted files.',
    },
  },
}

/** The JSON Schema of the member `columns`. */
export function columnsSchema() {
  const parts = columnParts()
  return {
    type: 'array',
    maxItems: MAX_COLUMNS,
    items: {
      type: 'object',
      required: ['name', ...Object.keys(parts)],
      properties: {
        name: { type: 'string' },
        renamed_from: { type: 'string', writeOnly: true },
        ...parts,
      },
    },
  }
}

/** Read-only members that describe a column. */
function columnParts() {
  const parts = {
    type: { type: 'string', enum: Object.keys(COLUMN_TYPES) },
    size: { type: ['integer', 'null'] },
    scale: { type: ['integer', 'null'] },
    isRequired: { type: 'boolean', description: 'NOTNULL.' },
    isUnsigned: { type: 'boolean' },
    isUnique: { type: 'boolean', description: 'UNIQUE, KEY or AUTO.' },
    isAuto: { type: 'boolean', description: 'AUTO: the next number if a create gives no value.' },
    default: {
      type: ['boolean', 'number', 'string', 'object', 'null'],
      additionalProperties: true,
      description:
        'A value, or {"now": true} for the time of the create. The value of a SET, JSON or POINT is a text, as in CSV.',
    },
    values: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Values of an ENUM or a SET.',
    },
    minimum: { type: ['string', 'null'], description: 'MIN: the lowest value.' },
    maximum: { type: ['string', 'null'], description: 'MAX: the highest value.' },
    minLength: { type: ['integer', 'null'], description: 'LENGTH: the fewest characters.' },
    maxLength: { type: ['integer', 'null'], description: 'LENGTH: the most characters.' },
    pattern: { type: ['string', 'null'], description: 'MATCH: the regular expression (RE2).' },
    computed: { type: ['string', 'null'], description: 'COMPUTED: the expression.' },
    references: REFERENCES,
  }
  const entries = Object.entries(parts).map(([name, part]) => [name, { ...part, readOnly: true }])
  return Object.fromEntries(entries) as object
}
