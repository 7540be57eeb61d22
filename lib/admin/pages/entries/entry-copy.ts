// An entry that somebody duplicates: from the page that shows it to the one that makes the next. It is taken once.

import type { Entry } from '../../client/module-paths.ts'

const copies = new Map<number, Entry>()

export function leaveCopy(tableId: number, entry: Entry): void {
  copies.set(tableId, entry)
}

export function takeCopy(tableId: number): Entry | undefined {
  const copy = copies.get(tableId)
  copies.delete(tableId)
  return copy
}
