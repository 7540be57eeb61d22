// Explains in one line for the operator why the records of a cluster cannot be opened.

import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'

/** Throws unavailable if trying again may help. */
export function tellDatabase(error: unknown): never {
  const told = `The database cannot be used: ${reasonsOf(error)}`
  if (isAway(error)) throw new CmsError('unavailable', told, { cause: error })
  throw new RefusedError(told, { cause: error })
}

/** True if the supervisor should start the server again. */
function isAway(error: unknown): boolean {
  if (error instanceof CmsError) return error.code === 'unavailable'
  return error instanceof AggregateError
}

/** Joins the reasons of all servers. No reason holds the address, and so none holds a password. */
export function reasonsOf(error: unknown): string {
  if (error instanceof CmsError && error.facts.cause !== undefined)
    return reasonsOf(error.facts.cause)
  if (!(error instanceof AggregateError)) return (error as Error).message
  return [error.message, ...error.errors.map(reasonsOf)].filter(Boolean).join(' ')
}
