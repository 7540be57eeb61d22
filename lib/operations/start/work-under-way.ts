// Tracks subtrees that are being removed and keys that are being revoked when other processes do this work. The
// pending-work rows are written in the commit that begins the work, so every process knows from that commit on.

import type { Records } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { hidePendingRemovals } from './resume.ts'

export interface WorkUnderWay extends Pick<Services, 'purging' | 'revoking'> {
  /** Call it when the records show the newest state. */
  renew(): void
}

export function openWorkUnderWay(records: Records): WorkUnderWay {
  const purging = new Set<number>()
  const revoking = new Set<number>()
  let isCurrent = (): boolean => false

  return {
    purging,
    revoking,
    renew(): void {
      if (isCurrent()) return
      const trace = records.trace()
      purging.clear()
      revoking.clear()
      hidePendingRemovals({ records: trace.records, purging, revoking })
      isCurrent = trace.close()
    },
  }
}
