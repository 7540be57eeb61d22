// The cluster that a command line names, completed from the environment.

import { clusterOf } from '../config/config.ts'
import type { Place } from './places.ts'
import { orUsage } from './usage.ts'

/** A missing setting ends the command like a wrong flag. */
export function clusterAt({
  given,
  hasPassword,
}: Extract<Place, { kind: 'cluster' }>): ReturnType<typeof clusterOf> {
  if (hasPassword)
    console.error(
      'Warning: all users of this machine can see a password on a command line. Use DATABASE_URL instead.',
    )
  return orUsage(() => clusterOf(given))
}
