// Schemas of a column change's answer: warnings, and the plan of a dry run.

import type { SchemaObject } from 'openapi3-ts/oas31'

const NAMES: SchemaObject = { type: 'array', items: { type: 'string' } }

function listOf(types: Readonly<Record<string, 'string' | 'integer'>>): SchemaObject {
  const properties: Record<string, SchemaObject> = {}
  for (const [name, type] of Object.entries(types)) properties[name] = { type }
  return { type: 'array', items: { type: 'object', required: Object.keys(types), properties } }
}

const COUNTED = listOf({ name: 'string', entries: 'integer' })

const CONVERTED = listOf({ name: 'string', entries: 'integer', nulls: 'integer' })

const WARNINGS: SchemaObject = {
  ...NAMES,
  description: 'Warnings about the table_schema that was sent; missing if there are none.',
}

/** Members added to the record. */
export const WARNED: SchemaObject = { type: 'object', properties: { warnings: WARNINGS } }

export const PLAN_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['plan'],
  properties: {
    warnings: WARNINGS,
    plan: {
      type: 'object',
      properties: {
        added: NAMES,
        renamed: listOf({ from: 'string', to: 'string' }),
        widened: NAMES,
        dropped: {
          ...COUNTED,
          description:
            'Dropped columns, each with the number of entries that have a value other than the default ' +
            'that the column gave to all entries when it was added.',
        },
        narrowed: {
          ...CONVERTED,
          description:
            'Narrowed columns, each with the number of entries whose value does not fit and becomes null.',
        },
        retyped: {
          ...CONVERTED,
          description:
            'Columns of another type, each with the number of entries whose value changes: the value is ' +
            'converted (007 becomes 7), or becomes null; nulls counts the latter.',
        },
        required: {
          ...COUNTED,
          description:
            'Required columns, each with the number of entries without a value, which must be 0.',
        },
        unique: {
          type: 'array',
          description:
            'Unique columns, each with the number of entries that share the value of an earlier entry.',
          items: {
            type: 'object',
            required: ['name', 'entries', 'examples'],
            properties: {
              name: { type: 'string' },
              entries: { type: 'integer' },
              examples: {
                type: 'array',
                items: { type: 'integer' },
                description: 'Identifiers of the first such entries.',
              },
            },
          },
        },
        refused: listOf({ name: 'string', detail: 'string' }),
      },
    },
  },
}
