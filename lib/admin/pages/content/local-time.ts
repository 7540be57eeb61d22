// Converts between instants and the local times of a field of type datetime-local.

import { openClock } from '../../../shared/wall-clock.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'

const clock = openClock(OWN_ZONE)

/** YYYY-MM-DDThh:mm, with seconds unless they are 0; empty for null. */
export function localOf(date: string | null): string {
  if (date === null) return ''
  const text = new Date(clock.wallOf(Date.parse(date))).toISOString()
  return text.slice(17, 19) === '00' ? text.slice(0, 16) : text.slice(0, 19)
}

/** Steps in which clocks are set back: half an hour on Lord Howe Island, up to two hours in Antarctica. */
const STEPS_MS = [30, 60, 120].map((minutes) => minutes * 60_000)

/** The instants that show this local time: none if clocks skip the time, two if they are set back over the time. */
export function instantsOf(local: string): readonly string[] {
  const wallMs = Date.parse(`${local}${local.length === 16 ? ':00' : ''}.000Z`)
  const first = Number.isNaN(wallMs) ? undefined : clock.findInstant(wallMs)
  if (first === undefined) return []
  const later = clock.isAmbiguous(wallMs)
    ? STEPS_MS.map((step) => first + step).filter((ms) => clock.wallOf(ms) === wallMs)
    : []
  return [first, ...later.slice(0, 1)].map((ms) => new Date(ms).toISOString())
}
