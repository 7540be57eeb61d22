// A clock that jumps from one event to the next, and stations with queues. npm packages for discrete-event
// simulation run a generator or thread for each visitor and take more reading than these lines.

export interface Clock {
  now(): number
  after(ms: number, happen: () => void): void
  /** Runs until this time, or until no event is left. */
  run(untilMs: number): void
}

interface Event {
  readonly at: number
  /** Events at the same time run in the order of scheduling. */
  readonly order: number
  readonly happen: () => void
}

export function openClock(): Clock {
  const heap: Event[] = []
  let now = 0
  let asked = 0
  return {
    now: () => now,
    after(ms, happen) {
      asked += 1
      push(heap, { at: now + ms, order: asked, happen })
    },
    run(untilMs) {
      for (let next = heap[0]; next !== undefined && next.at <= untilMs; next = heap[0]) {
        pop(heap)
        now = next.at
        next.happen()
      }
      now = untilMs
    },
  }
}

function isBefore(left: Event, right: Event): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order)
}

function push(heap: Event[], event: Event): void {
  let at = heap.length
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(event, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = event
}

function pop(heap: Event[]): void {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    if (left === undefined) break
    const isRight = right !== undefined && isBefore(right, left)
    const least = isRight ? right : left
    if (!isBefore(least, last)) break
    heap[at] = least
    at = 2 * at + (isRight ? 2 : 1)
  }
  heap[at] = last
}

export interface Station {
  /** Served in order of arrival by the first free server. */
  serve(ms: number, then: () => void): void
  /** Server time used so far. */
  busyMs(): number
}

export function openStation(clock: Clock, servers: number): Station {
  const waiting: { readonly ms: number; readonly done: () => void }[] = []
  let [free, busyMs, first] = [servers, 0, 0]

  function begin(ms: number, then: () => void): void {
    busyMs += ms
    clock.after(ms, () => {
      const next = waiting[first]
      if (next === undefined) free += 1
      else {
        first += 1
        // Served entries are removed in batches, because each splice moves the whole array.
        if (first > 1_024) waiting.splice(0, first)
        if (first > 1_024) first = 0
        begin(next.ms, next.done)
      }
      then()
    })
  }

  return {
    serve(ms, then) {
      if (free === 0) {
        waiting.push({ ms, done: then })
        return
      }
      free -= 1
      begin(ms, then)
    },
    busyMs: () => busyMs,
  }
}

export interface Lock {
  take(then: () => void): void
  release(): void
}

export function openLock(): Lock {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    take(then) {
      if (isTaken) waiting.push(then)
      else {
        isTaken = true
        then()
      }
    },
    release() {
      const next = waiting.shift()
      if (next === undefined) isTaken = false
      else next()
    },
  }
}
