// Creates, updates and deletes records that lie in folders and consist of their fields only. Objects with bytes or
// entries have their own operations.

import { type Caller, recheck } from '../auth/caller.ts'
import { requireGrant } from '../auth/grants.ts'
import { checkCreate, checkUpdate, type Values } from '../schema/check.ts'
import { buildRecord, withValues } from '../schema/record.ts'
import type { JsonObject, JsonValue, Stored } from '../schema/values.ts'
import type { Unit } from '../storage/port.ts'
import type { Context } from './context.ts'
import type { ObjectRules, RemoveInput, UpdateInput } from './object-rules.ts'
import { presentValue, tagOf } from './present.ts'
import { requireFolder, requireMatch, requireMove, requireRecord } from './requirements.ts'
import { type Visibility, type View, viewOf } from './visibility.ts'
import { withNewId } from './new-id.ts'

/** Checks of one object in addition to the common ones. */
export interface RecordChecks<T extends JsonObject> {
  /** Throws if the values conflict with other records. */
  readonly check?: (asked: Asked) => void
  /** The values to store, if the caller does not see the whole record that it changes. */
  readonly merge?: (change: Change<T>) => Values
  /** Moves the record to the trash; false if the site keeps none. */
  readonly keep?: (removed: Removed<T>) => boolean
}

interface Removed<T extends JsonObject> {
  readonly unit: Unit
  readonly context: Context
  readonly caller: Caller
  readonly id: number
  readonly record: T
}

interface Asked {
  readonly unit: Unit
  readonly caller: Caller
  readonly values: Values
  /** The record as the caller sees it; undefined in a create. */
  readonly shown: JsonObject | undefined
}

interface Change<T extends JsonObject> {
  readonly record: T
  readonly shown: JsonObject
  readonly values: Values
}

export function changesInFolder<T extends JsonObject>(
  visibility: Visibility<T>,
  { check, merge, keep }: RecordChecks<T> = {},
): Pick<ObjectRules, 'create' | 'update' | 'remove'> {
  const { object } = visibility
  const { recordType } = object

  return {
    async create(context, body) {
      const values = checkCreate(object, body)
      return withNewId(context.records, recordType, (id) =>
        context.records.commit((unit) => {
          const caller = recheck(unit, context.caller, context.now())
          const categoryId = Number(values['parent_category_id'])
          requireFolder(unit, caller, categoryId)
          requireGrant(unit, caller, 'create', categoryId)
          check?.({ unit, caller, values, shown: undefined })

          const origin = { id, owner: caller.user.name, now: context.now().toISOString() }
          return unit.put(recordType, [id], buildRecord(object, values, origin))
        }),
      )
    },

    async update(context, input) {
      return context.records.commit((unit) => {
        const { caller, view, stored, record } = load(unit, context, 'modify', input)
        const shown = presentValue(view, visibility, stored)
        const values = checkUpdate(object, input.body, shown)
        if (Object.keys(values).length === 0) return stored
        if ('parent_category_id' in values)
          requireMove(unit, caller, { from: folderOf(record), to: folderOf(values) })
        check?.({ unit, caller, values, shown })

        const date_modified = context.now().toISOString()
        const merged = merge?.({ record, shown, values }) ?? values
        const next = withValues(record, { ...merged, date_modified })
        return unit.put(recordType, [input.id], next)
      })
    },

    async remove(context, input) {
      await context.records.commit((unit) => {
        const { caller, record } = load(unit, context, 'delete', input)
        if (keep?.({ unit, context, caller, id: input.id, record }) === true) return
        unit.remove(recordType, input.id)
      })
    },
  }

  /** Throws if the caller may not change the record, or knows an older state. */
  function load(
    unit: Unit,
    context: Context,
    grant: 'modify' | 'delete',
    { id, precondition }: UpdateInput | RemoveInput,
  ): Loaded<T> {
    const caller = recheck(unit, context.caller, context.now())
    const { stored, record } = requireRecord(unit, object, id)
    requireGrant(unit, caller, grant, folderOf(record))
    const view = viewOf(context, { reader: unit, as: caller })
    requireMatch(precondition, stored, tagOf(view, visibility, stored))
    return { caller, view, stored, record }
  }
}

interface Loaded<T extends JsonObject> {
  readonly caller: Caller
  readonly view: View
  readonly stored: Stored<T>
  readonly record: T
}

function folderOf(record: Readonly<Record<string, JsonValue>>): number {
  return Number(record['parent_category_id'])
}
