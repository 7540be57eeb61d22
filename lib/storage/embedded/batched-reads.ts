// Reads many values into one buffer. A separate buffer for each value costs more than finding the value: 2.2 µs instead of
// 1.1 µs, and as much again for the garbage collector, which frees each buffer by itself.

/** Size of the buffer that is kept for the next batch; a larger buffer is not kept. */
const KEPT_BYTES = 64 * 1024

/** Collects values that are read one after the other. */
export interface Gathering {
  /** Copies a value; undefined stands for a missing value. */
  add(value: Uint8Array | undefined): void
  sizeBytes(): number
  /** Returns all values in one new buffer of exactly their total size. */
  end(): readonly (Buffer | undefined)[]
}

/** Returns a function that starts a batch. Only one batch may be open, and only within one turn of the event loop. */
export function openGathering(): () => Gathering {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES)
  return () => {
    let room: Buffer = kept
    let used = 0
    /** Start and end of each value. */
    const places: (readonly [number, number] | undefined)[] = []
    return {
      add(value) {
        if (value === undefined) return void places.push(undefined)
        const end = used + value.length
        if (end > room.length) room = larger(room, end)
        room.set(value, used)
        places.push([used, end])
        used = end
      },
      sizeBytes: () => used,
      end() {
        const all = Buffer.from(room.subarray(0, used))
        return places.map((place) => place && all.subarray(...place))
      },
    }
  }
}

function larger(room: Buffer, size: number): Buffer {
  const next = Buffer.allocUnsafeSlow(Math.max(size, room.length * 2))
  room.copy(next)
  return next
}
