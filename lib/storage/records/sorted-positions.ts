// Sorts positions of records incrementally. Sorting all of them at once would block for a whole slice, so they are sorted
// in batches as they arrive and merged one by one as far as a page needs them.

import type { Place } from './order.ts'

export interface SortedPlaces {
  add(place: Place): void
  inOrder(): Iterable<Place>
}

const BATCH = 500

export function openSortedPlaces(): SortedPlaces {
  const batches: (readonly Place[])[] = []
  let current: Place[] = []

  function close(): void {
    if (current.length > 0) batches.push(current.toSorted(compare))
    current = []
  }

  return {
    add(place) {
      current.push(place)
      if (current.length === BATCH) close()
    },
    inOrder() {
      close()
      return merge(batches)
    },
  }
}

function compare(left: Place, right: Place): number {
  return left.sortKey < right.sortKey ? -1 : 1
}

function* merge(batches: readonly (readonly Place[])[]): Generator<Place, void> {
  const heads = batches.map((places) => ({ places, at: 0 }))
  for (;;) {
    let first: { place: Place; head: { at: number } } | undefined
    for (const head of heads) {
      const place = head.places[head.at]
      if (place === undefined) continue
      if (first === undefined || place.sortKey < first.place.sortKey) first = { place, head }
    }
    if (first === undefined) return
    yield first.place
    first.head.at += 1
  }
}
