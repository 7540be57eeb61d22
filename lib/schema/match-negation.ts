// Negations of matches: the opposite of one, and what it says of a record that has no value.

import type { Match } from './match.ts'

/** The opposite, in a form that an index can serve where there is one. */
export function not(part: Match): Match {
  if (part.op === 'not') return part.part
  if (part.op === 'exists') return { op: 'eq', field: part.field, value: null }
  if (part.op === 'eq' && part.value === null) return { op: 'exists', field: part.field }
  return { op: 'not', part }
}

/** Whether a record that has no value at all matches. */
export function matchesNothing(match: Match): boolean {
  switch (match.op) {
    case 'and':
      return match.parts.every(matchesNothing)
    case 'or':
      return match.parts.some(matchesNothing)
    case 'not':
      return !matchesNothing(match.part)
    case 'eq':
      return match.value === null
    case 'in':
      return match.has(null)
    default:
      return false
  }
}
