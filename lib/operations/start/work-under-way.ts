// What is being cleared away, and keys that are being ended, where other processes do it, too: as the rows say by which
// whoever does it remembers it. They are written in the commit that begins it, so from that commit on all know.

import type { Records } from '../../storage/port.ts'
import type { Services } from '../context.ts'
import { noteWork } from './resume.ts'

export interface WorkUnderWay extends Pick<Services, 'purging' | 'revoking'> {
  /** To be called when the records show the newest state. */
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
      noteWork({ records: trace.records, purging, revoking })
      isCurrent = trace.close()
    },
  }
}
