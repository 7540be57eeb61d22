// What a process does every second, also while nobody asks: so that a request has little to follow.

export interface Beat {
  begin(): void
  close(): void
}

interface BeatOptions {
  /** One round follows the other: while the database does not answer they do not pile up. */
  readonly eachBeat: readonly (() => Promise<void>)[]
  /** Once a minute, beside the others. */
  readonly eachMinute: readonly (() => Promise<void>)[]
}

const BEAT_MS = 1_000
const BEATS_PER_MINUTE = 60

export function openBeat({ eachBeat, eachMinute }: BeatOptions): Beat {
  let timer: NodeJS.Timeout | undefined
  let beats = 0
  let isBeating = false

  function beat(): void {
    beats += 1
    // What fails is done by the next one.
    if (beats % BEATS_PER_MINUTE === 0) void Promise.allSettled(eachMinute.map((work) => work()))
    if (isBeating) return
    isBeating = true
    void Promise.allSettled(eachBeat.map((work) => work())).then(() => {
      isBeating = false
    })
  }

  return {
    begin() {
      timer = setInterval(beat, BEAT_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}
