// Measures new pictures and makes their forms, in child processes. Measurements and forms have a process each, so that
// uploads do not wait for forms.

import { openRefusals, refusePicture, type Trouble } from './picture-refusals.ts'
import {
  type Frame,
  MAX_SOURCE_BYTES,
  type PictureAnswer,
  type PictureFacts,
  type PictureForm,
} from './picture-job.ts'
import { openPictureProcess, type Outcome, type PictureSource } from './picture-process.ts'
import { PictureQueue, type QueueLimits } from './picture-queue.ts'
import { openSharedRuns } from './shared-runs.ts'

export interface Pictures {
  /** Undefined if the bytes cannot be measured in time. Throws unavailable if the process was ended from outside, or an error of the source. */
  measure(type: string, source: PictureSource): Promise<PictureFacts | undefined>
  /**
   * The bytes of a form. Equal requests at the same time share one run, which ends when the signals of all of them are
   * aborted. Throws picture-refused, not-implemented, unavailable, or an error of the queue or the source.
   */
  make(asked: AskedForm): Promise<Buffer>
  /** False once the picture library could not be loaded. */
  isSupported(): boolean
  close(): Promise<void>
}

export interface AskedForm {
  /** The same for the same bytes and form. */
  readonly name: string
  readonly type: string
  readonly form: PictureForm
  readonly sizeBytes: number
  readonly open: () => Promise<OpenSource>
  /** Stores the form before any request gets it. */
  readonly onMade: (bytes: Buffer) => Promise<void>
  /** The key or address that the work counts for. */
  readonly party: string
  readonly signal: AbortSignal
}

export interface OpenSource extends PictureSource {
  close(): Promise<void> | void
}

/** One measurement, and with those before it: a save waits so long. The processes have a low priority, so a busy machine needs seconds. */
const MEASURE_MS = 10_000
const MAX_MEASURE_WAIT_MS = 20_000
const FORM_MS = 20_000
const WAITING: QueueLimits = { ofParty: 16, ofAll: 128 }
export function openPictures(limits = WAITING): Pictures {
  const measuring = openPictureProcess()
  const forming = openPictureProcess()
  const queue = new PictureQueue(limits)
  const runs = openSharedRuns<Buffer>()
  const refusals = openRefusals()
  let isSupported = true

  function note({ message }: Partial<Frame<PictureAnswer>>): void {
    if (message?.kind === 'refused' && message.fault === 'unsupported') isSupported = false
  }

  async function makeNow(asked: AskedForm, signal: AbortSignal): Promise<Buffer> {
    const { name, type, form, onMade } = asked
    const source = await asked.open()
    try {
      const until = { timeoutMs: FORM_MS, signal }
      const outcome = await forming.run({ kind: 'form', type, form }, source, until)
      signal.throwIfAborted()
      if ('message' in outcome && outcome.message.kind === 'formed') {
        await onMade(outcome.bytes)
        return outcome.bytes
      }
      if ('message' in outcome) note(outcome)
      throw refusePicture(refusals.note(name, troubleOf(outcome)))
    } finally {
      await source.close()
    }
  }

  return {
    async measure(type, source) {
      if (source.sizeBytes > MAX_SOURCE_BYTES || !isSupported) return undefined
      const signal = AbortSignal.timeout(MAX_MEASURE_WAIT_MS)
      const job = { kind: 'measure', type } as const
      const outcome = await measuring.run(job, source, { timeoutMs: MEASURE_MS, signal })
      if (!('message' in outcome)) {
        if (outcome.failure === 'killed') throw refusePicture('killed')
        return undefined
      }
      note(outcome)
      return outcome.message.kind === 'measured' ? outcome.message.facts : undefined
    },

    async make(asked) {
      const { name, party, sizeBytes, signal } = asked
      if (!isSupported) throw refusePicture('unsupported')
      if (sizeBytes > MAX_SOURCE_BYTES) throw refusePicture('source')
      const known = refusals.find(name)
      if (known !== undefined) throw refusePicture(known)
      return runs.join(name, signal, (ofAll) =>
        queue.run(party, ofAll, () => makeNow(asked, ofAll)),
      )
    },

    isSupported: () => isSupported,
    async close() {
      runs.abortAll()
      await Promise.all([measuring.close(), forming.close()])
    },
  }
}

function troubleOf(outcome: Outcome): Trouble {
  if ('failure' in outcome) return outcome.failure
  return outcome.message.kind === 'refused' ? outcome.message.fault : 'damaged'
}
