// Work that a node does every second, also without requests, so that a request has few commits to read.

export interface Beat {
  begin(): void
  close(): void
}

interface BeatOptions {
  /** Rounds do not overlap, so that they do not pile up while the database does not answer. */
  readonly eachBeat: readonly (() => Promise<void>)[]
  /** Runs once a minute, independently of the rounds. */
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
    // Failed work is repeated in the next round.
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
