// datatable and calendar in the common pattern.

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
  description: 'drop: values that the columns do not keep may be lost.',
  word: 'drop',
}

const DRY_RUN: Option = {
  name: 'dry_run',
  description: 'Answer what the change would do, as {"plan": …}, and change nothing.',
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

/** Only where there are some: the answer is the record else. */
function warningsOf(kind: ModuleKind, body: unknown): JsonObject {
  const warnings = findSchemaWarnings(kind, body)
  return warnings.length === 0 ? {} : { warnings }
}
