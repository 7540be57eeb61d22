// The audit trail, readable by administrators of the whole site only. It is read-only.

import { requireEverywhere } from '../../auth/grants.ts'
import { type Audit, audit } from '../../schema/audit.ts'
import { inMatch, type Match } from '../../schema/match.ts'
import type { SearchField, Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import type { ReadRules } from '../object-rules.ts'
import { requireRecord } from '../requirements.ts'

export const auditRules: ReadRules<Audit> = {
  object: audit,
  readAccess: ['admin'],
  widen,
  // Null is not stored, and older rows lack these fields.
  derive: () => (row) => ({
    ...(row.asset_category_id === undefined && { asset_category_id: null }),
    ...(row.previous_category_id === undefined && { previous_category_id: null }),
    ...(row.changes === undefined && { changes: null }),
    ...(row.api_key_name === undefined && { api_key_name: null }),
    ...(row.entries === undefined && { entries: null }),
    ...(row.name === undefined && { name: null }),
    ...(row.path === undefined && { path: null }),
    ...(row.previous_name === undefined && { previous_name: null }),
    ...(row.previous_path === undefined && { previous_path: null }),
  }),
  seen: {
    requireRead: readRow,
    requireMade: readRow,
    visibility(context) {
      requireAuditor(context)
      return undefined
    },
  },
}

/** `publish` and `stage` match every row that moved the pointer, like the filters of GET /change. */
function widen(match: Match): Match {
  if (match.op === 'and' || match.op === 'or')
    return { ...match, parts: match.parts.map((part) => widen(part)) }
  if (match.op === 'not') return { op: 'not', part: widen(match.part) }
  if (match.op !== 'eq' && match.op !== 'in') return match
  if (match.field.name !== 'action') return match
  const values = match.op === 'eq' ? [match.value] : match.values
  const states = values.filter((value) => value === 'publish' || value === 'stage')
  return states.length === 0 ? match : { op: 'or', parts: [match, moved(match.field, states)] }
}

function moved(action: SearchField, states: readonly string[]): Match {
  const fileState = audit.searchable.get('fileState')
  if (fileState === undefined) return { op: 'or', parts: [] }
  // After an unpublish or unstage, the remaining pointer was not moved by it.
  const takesOff = inMatch(action, ['unpublish', 'unstage'])
  const isMoved = inMatch(fileState, states)
  return { op: 'and', parts: [isMoved, { op: 'not', part: takesOff }] }
}

function readRow(context: Context, id: number): Stored<Audit> {
  requireAuditor(context)
  return requireRecord(context.records, audit, id).stored
}

function requireAuditor({ caller }: Context): void {
  requireEverywhere(caller, 'admin', 'for the audit trail')
}
