// Values that the command line or the environment may not have, told and ended as a wrong flag is.

import { CommanderError } from 'commander'
import { CmsError } from '../base/errors.ts'
import { EXIT } from './exit.ts'

/** What `read` gives. Where it refuses a value the command ends with EXIT.usage, and whatever starts it need not try again. */
export function orUsage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    console.error(`error: ${error.message}`)
    throw new CommanderError(EXIT.usage, 'cms.usage', error.message)
  }
}
