// The cluster that a command line names, with what the environment says of it.

import { clusterOf } from '../config/config.ts'
import type { Place } from './places.ts'
import { orUsage } from './usage.ts'

/** Ends the command as a wrong flag does where something is missing. */
export function clusterAt({
  given,
  hasPassword,
}: Extract<Place, { kind: 'cluster' }>): ReturnType<typeof clusterOf> {
  if (hasPassword)
    console.error(
      'A password on a command line is seen by all users of this machine: set DATABASE_URL.',
    )
  return orUsage(() => clusterOf(given))
}
