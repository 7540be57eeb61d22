// Rules of datatable and calendar as objects.

import type { SchemaObject } from 'openapi3-ts/oas31'
import { MODULE_KINDS, type ModuleKind } from '../../schema/module.ts'
import type { JsonObject } from '../../schema/values.ts'
import { IN_FOLDERS, type ObjectRules, type Option } from '../object-rules.ts'
import { updateModule } from './module-update.ts'
import type { ChangePlan } from './schema-change.ts'
import {
  clearModules,
  createModule,
  findSchemaWarnings,
  moduleVisibilities,
  removeModule,
} from './modules.ts'

const NAMES: SchemaObject = { type: 'array', items: { type: 'string' } }

function listOf(types: Readonly<Record<string, 'string' | 'integer'>>): SchemaObject {
  const properties: Record<string, SchemaObject> = {}
  for (const [name, type] of Object.entries(types)) properties[name] = { type }
  return { type: 'array', items: { type: 'object', required: Object.keys(types), properties } }
}

const COUNTED = listOf({ name: 'string', entries: 'integer' })

const EXAMPLES: SchemaObject = {
  type: 'array',
  items: { type: 'integer' },
  description: 'Identifiers of the first of these entries.',
}

const CONVERTED: SchemaObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'entries', 'nulls', 'examples'],
    properties: {
      name: { type: 'string' },
      entries: { type: 'integer' },
      nulls: { type: 'integer' },
      examples: EXAMPLES,
    },
  },
}

const WARNINGS: SchemaObject = {
  ...NAMES,
  description: 'Warnings about the table_schema that was sent; absent if there are none.',
}

/** Members added to the record. */
const WARNED: SchemaObject = { type: 'object', properties: { warnings: WARNINGS } }

const SHARED: SchemaObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'entries', 'examples'],
    properties: {
      name: { type: 'string' },
      entries: { type: 'integer' },
      examples: EXAMPLES,
    },
  },
}

const PLAN_MEMBERS = {
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
      'Columns whose type changes, each with the number of entries whose value changes: the value is converted (007 becomes 7), or becomes null. nulls counts the values that become null.',
  },
  required: {
    ...COUNTED,
    description:
      'Required columns, each with the number of entries without a value, which must be 0.',
  },
  unique: {
    ...SHARED,
    description:
      'Unique columns, and columns that are unique together ("a, b"), each with the number of entries that share the value of an earlier entry.',
  },
  references: {
    ...SHARED,
    description:
      'Columns with a new target, each with the number of entries that refer to a record that does ' +
      'not exist, or that the key may not see.',
  },
  checks: {
    type: 'array',
    description:
      'CHECK rules by their expression, each with the number of entries that break it, which must be 0.',
    items: {
      type: 'object',
      required: ['name', 'entries', 'examples'],
      properties: {
        name: { type: 'string' },
        entries: { type: 'integer' },
        examples: EXAMPLES,
      },
    },
  },
  refused: listOf({ name: 'string', detail: 'string' }),
} satisfies Record<keyof ChangePlan, SchemaObject>

const PLAN_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['plan'],
  properties: {
    warnings: WARNINGS,
    plan: { type: 'object', required: Object.keys(PLAN_MEMBERS), properties: PLAN_MEMBERS },
  },
}

const CONFIRM: Option = {
  name: 'confirm',
  description: 'drop: values that the changed columns cannot keep may be lost.',
  word: 'drop',
}

const DRY_RUN: Option = {
  name: 'dry_run',
  description: 'Return the effect of the change as {"plan": …}, without changing anything.',
}

export const moduleRules: readonly ObjectRules[] = MODULE_KINDS.map((kind) => ({
  ...moduleVisibilities[kind],
  ...IN_FOLDERS,
  body: 'nested',
  needsRoom: 'record',
  create: (context, body) => createModule(context, kind, body),
  async update(context, { options, ...input }) {
    const isDropConfirmed = options.has(CONFIRM.name)
    const isDryRun = options.has(DRY_RUN.name)
    const change = await updateModule(context, { ...input, kind, isDropConfirmed, isDryRun })
    return change.kind === 'planned' ? { plan: change.plan } : change.stored
  },
  remove: (context, input) => removeModule(context, { ...input, kind }),
  clear: (services, folder) => clearModules(services, kind, folder),
  remark: (body) => warningsOf(kind, body),
  updateOptions: [CONFIRM, DRY_RUN],
  notes: { created: WARNED, updated: WARNED, planned: PLAN_SCHEMA },
}))

/** Without warnings, the response has only the record. */
function warningsOf(kind: ModuleKind, body: unknown): JsonObject {
  const warnings = findSchemaWarnings(kind, body)
  return warnings.length === 0 ? {} : { warnings }
}
