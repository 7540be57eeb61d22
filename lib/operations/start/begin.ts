// What a start does before it listens.

import type { Services } from '../context.ts'
import { prepareSite } from '../people/first-start.ts'
import { noteWork, resumeWork } from './resume.ts'

export interface Begun {
  /** The data directory was empty, and got its first user. */
  readonly isFirstStart: boolean
  /** Works that a stop had interrupted. */
  readonly resumed: number
}

export async function beginSite(
  services: Services,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Begun> {
  if (readOnly) {
    noteWork(services)
    return { isFirstStart: false, resumed: 0 }
  }
  const isFirstStart = await prepareSite(services.records, services.now())
  return { isFirstStart, resumed: await resumeWork(services) }
}
