// Explains in one line for the operator why the records of a cluster cannot be opened.

import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'
import { stateOf } from './database-connections.ts'
import { NOT_TRUSTED } from './store-faults.ts'

/** Throws unavailable if trying again may help. */
export function rethrowDatabaseFault(error: unknown): never {
  const detail = `The database cannot be used: ${reasonsOf(error)}`
  if (isAway(error)) throw new CmsError('unavailable', detail, { cause: error })
  throw new RefusedError(detail, { cause: error })
}

/** True if the supervisor should start the server again. */
function isAway(error: unknown): boolean {
  if (error instanceof CmsError) return error.code === 'unavailable'
  return error instanceof AggregateError && !isLasting(error)
}

/** 28: no such role, another password, or an address or connection that is not allowed; 3D000: no such database; 42501: no permission. */
const LASTING_STATE = /^(?:28...|3D000|42501)$/
/** Messages of pg itself, which have no code: no TLS, no password, another method of authentication. */
const LASTING_TEXT = /^The server does not support SSL connections|^SASL: .*(?:password|mechanism)/

/** Every server gives a reason that stays until somebody changes a setting, a role, or the database. */
export function isLasting(error: unknown): boolean {
  if (error instanceof CmsError && error.facts.cause !== undefined)
    return isLasting(error.facts.cause)
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isLasting)
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  return (
    LASTING_STATE.test(stateOf(error) ?? '') ||
    NOT_TRUSTED.has(String(code)) ||
    LASTING_TEXT.test(error.message)
  )
}

/** Joins the reasons of all servers. No reason contains the address, so no reason contains a password. */
export function reasonsOf(error: unknown): string {
  if (error instanceof CmsError && error.facts.cause !== undefined)
    return reasonsOf(error.facts.cause)
  if (!(error instanceof AggregateError)) return (error as Error).message
  return [error.message, ...error.errors.map(reasonsOf)].filter(Boolean).join(' ')
}
