// Errors that name the item of a list to which they apply.

import { CmsError } from '../base/errors.ts'

/** Runs the work for an item; an error gets the pointer of the item in front of its own pointers. */
export function atPlace<T>(pointer: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw placedAt(pointer, error)
  }
}

/** An error without pointers stays without pointers, unless `isPointed` is set. */
export function placedAt(pointer: string, error: unknown, isPointed = false): unknown {
  if (!(error instanceof CmsError)) return error
  const { errors = [] } = error.facts
  const faults =
    errors.length === 0 && isPointed ? [{ pointer: '', detail: error.message }] : errors
  return new CmsError(error.code, `Item ${pointer} of the list: ${error.message}`, {
    ...error.facts,
    errors: faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })),
  })
}
