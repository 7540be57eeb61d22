// Properties that all calendar views share.

import type { Grant } from '../../../shared/grants.ts'
import type { Clock } from '../../../shared/wall-clock.ts'
import type { Fetched } from '../../ui/use-edit.ts'
import type { FolderRecord } from '../content/records.ts'
import type { CalendarRecord, Occurrence } from './events.ts'
import type { EventMoves } from './use-moves.ts'
import type { Go, Place } from './use-place.ts'
import type { Words } from './words.ts'

export interface CalendarProps {
  readonly fetched: Fetched<CalendarRecord>
  readonly line: readonly FolderRecord[]
  readonly grants: ReadonlySet<Grant>
  readonly onFetched: (fetched: Fetched<CalendarRecord>) => void
  readonly onMoved: () => void
}

export interface ViewProps {
  readonly events: readonly Occurrence[]
  readonly place: Place
  readonly clock: Clock
  /** On the calendar's clock. */
  readonly today: number
  readonly words: Words
  readonly title: string
  readonly moves: EventMoves
  readonly go: Go
  readonly onOpen: (event: Occurrence) => void
}
