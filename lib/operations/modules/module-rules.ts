// Rules of datatable and calendar as objects.

import { MODULE_KINDS, type ModuleKind } from '../../schema/module.ts'
import type { JsonObject } from '../../schema/values.ts'
import { IN_FOLDERS, type ObjectRules, type Option } from '../object-rules.ts'
import { clearModules } from './module-removal.ts'
import { moduleShowings } from './module-showing.ts'
import { updateModule } from './module-update.ts'
import { createModule, findSchemaWarnings, removeModule } from './modules.ts'
import { PLAN_SCHEMA, WARNED } from './plan-schema.ts'

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
  ...moduleShowings[kind],
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

/** Without warnings, the answer is the record alone. */
function warningsOf(kind: ModuleKind, body: unknown): JsonObject {
  const warnings = findSchemaWarnings(kind, body)
  return warnings.length === 0 ? {} : { warnings }
}
