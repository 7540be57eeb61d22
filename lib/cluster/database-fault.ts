// Why the records of a cluster cannot be opened, as one line for the operator.

import { CmsError } from '../base/errors.ts'
import { RefusedError } from '../storage/embedded/refusal.ts'

/** Throws unavailable where it is worth to try again. */
export function tellDatabase(error: unknown): never {
  const told = `The database cannot be used: ${reasonsOf(error)}`
  if (isAway(error)) throw new CmsError('unavailable', told, { cause: error })
  throw new RefusedError(told, { cause: error })
}

/** Whatever starts the server does well to try again. */
function isAway(error: unknown): boolean {
  if (error instanceof CmsError) return error.code === 'unavailable'
  return error instanceof AggregateError
}

/** Of several servers what each of them says. None of it holds the address, and so no password. */
export function reasonsOf(error: unknown): string {
  if (error instanceof CmsError && error.facts.cause !== undefined)
    return reasonsOf(error.facts.cause)
  if (!(error instanceof AggregateError)) return (error as Error).message
  return [error.message, ...error.errors.map(reasonsOf)].filter(Boolean).join(' ')
}
