// The shown form of a module: with its number of entries, and with its columns in today's form.

import type { Column } from '../../schema/columns/column.ts'
import { isShown, showColumn } from '../../schema/columns/shown-column.ts'
import { entryTypeName } from '../../schema/entry.ts'
import { MODULE_OBJECTS, type ModuleKind } from '../../schema/module.ts'
import type { JsonObject } from '../../schema/values.ts'
import type { Reader } from '../../storage/port.ts'
import { seenInFolder, type Showing } from '../visibility.ts'

export const moduleShowings: Readonly<Record<ModuleKind, Showing>> = {
  datatable: showingOf('datatable'),
  calendar: showingOf('calendar'),
}

function showingOf(kind: ModuleKind): Showing {
  const object = MODULE_OBJECTS[kind]
  return {
    object,
    seen: seenInFolder(object),
    derive:
      ({ reader }) =>
      (record) => ({ entry_count: countEntries(reader, kind, Number(record[object.idField])) }),
    renew,
    addressField: 'module_url',
  }
}

function renew(record: JsonObject): JsonObject | undefined {
  const columns = (record['columns'] ?? []) as readonly Column[]
  return isShown(columns) ? undefined : { columns: columns.map(showColumn) }
}

function countEntries(reader: Reader, kind: ModuleKind, id: number): number {
  return reader.count({ name: entryTypeName(kind, id), indexes: [] })
}
