// Steps of a start before the server listens.

import type { Services } from '../context.ts'
import { prepareSite } from '../people/first-start.ts'
import { beginChangeLog } from '../trail/change-log.ts'
import { hidePendingRemovals, planFileStates, resumeWork } from './resume.ts'

export interface Begun {
  /** Token of the first-start link, as long as nobody can sign in. */
  readonly welcome: string | undefined
  /** Number of interrupted tasks that were resumed. */
  readonly resumed: number
}

export async function beginSite(
  services: Services,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Begun> {
  if (readOnly) {
    hidePendingRemovals(services)
    return { welcome: undefined, resumed: 0 }
  }
  await prepareSite(services.records, services.now())
  await beginChangeLog(services.records)
  await planFileStates(services)
  const welcome = await services.welcome.begin(services.records)
  return { welcome, resumed: await resumeWork(services) }
}
