// What a change of columns answers besides the module: what is odd in it, and what a dry run tells.

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
  description: 'What is odd in the table_schema that was sent; missing where nothing is.',
}

/** The members that stand besides the record. */
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
            'With the number of entries that have a value there, other than the default that the column ' +
            'gave to all of them when it was added.',
        },
        narrowed: {
          ...CONVERTED,
          description: 'With the number of entries whose value does not fit, and becomes null.',
        },
        retyped: {
          ...CONVERTED,
          description:
            'Of another type, with the number of entries whose value is not kept as it is: it becomes what ' +
            'the column takes of it (007 becomes 7), or null, as often as nulls says.',
        },
        required: {
          ...COUNTED,
          description: 'With the number of entries that would have no value: it must be 0.',
        },
        unique: {
          type: 'array',
          description: 'With the number of entries that have the value of an earlier one.',
          items: {
            type: 'object',
            required: ['name', 'entries', 'examples'],
            properties: {
              name: { type: 'string' },
              entries: { type: 'integer' },
              examples: {
                type: 'array',
                items: { type: 'integer' },
                description: 'Identifiers of the first of them.',
              },
            },
          },
        },
        refused: listOf({ name: 'string', detail: 'string' }),
      },
    },
  },
}
