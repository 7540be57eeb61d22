// Passes a duplicated entry from its page to the form of the new entry. It is taken once.

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
