// Who reads the audit trail: who administers the whole site, no folder excepted. Nobody changes it.

import { requireEverywhere } from '../../auth/grants.ts'
import { type Audit, audit } from '../../schema/audit.ts'
import type { Stored } from '../../schema/values.ts'
import type { Context } from '../context.ts'
import type { ReadRules } from '../object-rules.ts'
import { requireRecord } from '../requirements.ts'

export const auditRules: ReadRules<Audit> = {
  object: audit,
  readAccess: ['admin'],
  // Null is not stored, and older rows have none of these.
  derive: () => (row) => ({
    ...(row.asset_category_id === undefined && { asset_category_id: null }),
    ...(row.previous_category_id === undefined && { previous_category_id: null }),
    ...(row.changes === undefined && { changes: null }),
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

function readRow(context: Context, id: number): Stored<Audit> {
  requireAuditor(context)
  return requireRecord(context.records, audit, id).stored
}

function requireAuditor({ caller }: Context): void {
  requireEverywhere(caller, 'admin', 'for the audit trail')
}
