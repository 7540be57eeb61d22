// Measures each new picture in a child process.

import type { PictureFacts } from './picture-job.ts'
import { MAX_SOURCE_BYTES } from './picture-job.ts'
import { openPictureProcess, type PictureSource } from './picture-process.ts'

export interface Pictures {
  /** Undefined if the bytes cannot be measured in time. Rejects only if the source does. */
  measure(type: string, source: PictureSource): Promise<PictureFacts | undefined>
  /** False once the picture library could not be loaded. */
  isSupported(): boolean
  close(): Promise<void>
}

/** A measurement, and all measurements that wait for it: an upload waits so long for its facts. */
const MEASURE_MS = 3_000
const MAX_MEASURE_WAIT_MS = 10_000

export function openPictures(): Pictures {
  const measuring = openPictureProcess()
  let isSupported = true

  return {
    async measure(type, source) {
      if (source.sizeBytes > MAX_SOURCE_BYTES || !isSupported) return undefined
      const signal = AbortSignal.timeout(MAX_MEASURE_WAIT_MS)
      const job = { kind: 'measure', type } as const
      const outcome = await measuring.run(job, source, { timeoutMs: MEASURE_MS, signal })
      if (!('message' in outcome)) return undefined
      const { message } = outcome
      if (message.kind === 'refused' && message.fault === 'unsupported') isSupported = false
      return message.kind === 'measured' ? message.facts : undefined
    },
    isSupported: () => isSupported,
    close: () => measuring.close(),
  }
}
