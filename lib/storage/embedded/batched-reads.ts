// Many values read into one piece of memory. To give each its own costs more than to find it: 2.2 us in place of 1.1,
// and as much again for the garbage collector, which has to free each by itself.

/** Kept for the next reading; a larger one is not. */
const KEPT_BYTES = 64 * 1024

/** Values that are being read, one after the other. */
export interface Gathering {
  /** Takes a copy; undefined: there is none. */
  add(value: Uint8Array | undefined): void
  sizeBytes(): number
  /** All of them, in memory of their own, no larger than they are together. */
  end(): readonly (Buffer | undefined)[]
}

/** Gives what gathers: only one at a time, and in one turn of the event loop. */
export function openGathering(): () => Gathering {
  const kept = Buffer.allocUnsafeSlow(KEPT_BYTES)
  return () => {
    let room: Buffer = kept
    let used = 0
    /** Where each begins and ends. */
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
