// An event in the month or week view. Enter or a click opens it; dragging, or Shift with arrow keys, moves it.

import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { keyOf, type Occurrence } from './events.ts'
import type { EventMoves } from './use-moves.ts'
import type { Words } from './words.ts'

export interface EventButtonProps {
  readonly event: Occurrence
  readonly words: Words
  readonly moves: EventMoves
  readonly onOpen: (event: Occurrence) => void
  readonly kind: 'bar' | 'line' | 'block'
  readonly style: Readonly<Record<string, string | number>>
  /** The event ends outside of this view, so its end cannot be dragged here. */
  readonly isCut?: boolean
}

export function EventButton(props: EventButtonProps) {
  const { event, words, moves, onOpen, kind, style, isCut } = props
  const { t } = useTexts()
  const isMoving = moves.preview !== undefined && keyOf(moves.preview) === keyOf(event)
  return (
    <button
      type="button"
      class={`event event-${kind}${isMoving ? ' event-moving' : ''}${moves.isAllowed ? '' : ' event-fixed'}`}
      style={style}
      data-event={keyOf(event)}
      onPointerDown={(pressed) => moves.drag(pressed, event)}
      onKeyDown={(pressed) => moves.press(pressed, event)}
      onClick={() => {
        if (!moves.wasDragged()) onOpen(event)
      }}
    >
      <bdi class="event-title">{event.title || t.calendar.untitled}</bdi>
      {!event.isAllDay && <span class="event-time">{words.time(event.startWall)}</span>}
      {event.isRecurring && <Icon name="repeat" />}
      {kind === 'block' && event.location !== null && (
        <bdi class="event-place">{event.location}</bdi>
      )}
      <span class="unseen">
        {` ${words.when(event)}`}
        {event.isRecurring && `, ${t.calendar.repeats}`}
      </span>
      {moves.isAllowed && isCut !== true && kind !== 'line' && <span class="event-end" data-end />}
    </button>
  )
}
