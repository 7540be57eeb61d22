// Reports invalid values of the command line or the environment, and exits as for a wrong flag.

import { CommanderError, InvalidArgumentError } from 'commander'
import { CmsError } from '../base/errors.ts'
import { parseIdentifier } from '../schema/identifier.ts'
import { EXIT } from './exit.ts'

/**
 * Returns the result of `read`. If `read` rejects a value, the command exits with EXIT.usage, so that a
 * supervisor does not restart it.
 */
export function orUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    console.error(`error: ${error.message}`)
    throw new CommanderError(EXIT.usage, 'cms.usage', error.message)
  }
}

export function readCount(text: string): number {
  const value = parseIdentifier(text)
  if (value !== undefined) return value
  throw new InvalidArgumentError('Give a whole number from 1.')
}
