// What every view of a calendar is given.

import type { Occurrence } from './events.ts'
import type { EventMoves } from './use-moves.ts'
import type { Go, Place } from './use-place.ts'
import type { Clock } from './wall.ts'
import type { Words } from './words.ts'

export interface ViewProps {
  readonly events: readonly Occurrence[]
  readonly place: Place
  readonly clock: Clock
  /** On the clock of the calendar. */
  readonly today: number
  readonly words: Words
  readonly title: string
  readonly moves: EventMoves
  readonly go: Go
  readonly onOpen: (event: Occurrence) => void
}
