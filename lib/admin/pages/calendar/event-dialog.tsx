// The dialog of one event: a form for users who may change it, otherwise facts.

import { useRef } from 'preact/hooks'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import { CommentSection } from '../comments/comment-list.tsx'
import { EventFacts } from './event-facts.tsx'
import { EventFields, pointersFor, requireValid } from './event-form.tsx'
import { EventHistory } from './event-history.tsx'
import {
  areTimes,
  columnLabels,
  columnName,
  type EventValues,
  type FormFacts,
  formNameOf,
  isRule,
  newBody,
  newValues,
  plainFields,
  repeatOf,
  scopeOf,
  timesOf,
  valuesOf,
} from './event-values.ts'
import { occurrenceOf, type Times } from './event-times.ts'
import type { EventBody, EventRecord, Events, Occurrence } from './events.ts'
import { buildRepeat } from './rule.ts'
import { changeIn, fieldsFor, type Undo } from './series.ts'
import type { SeriesWork } from './series-dates.ts'
import type { Words } from './words.ts'

interface Shared extends FormFacts {
  readonly events: Events
  readonly words: Words
  readonly onClose: () => void
}

export function NewEvent({
  times,
  onMade,
  ...props
}: Shared & { readonly times: Times; readonly onMade: (title: string, undo: Undo) => void }) {
  const { t } = useTexts()
  const { events, calendar, words, clock, onClose } = props
  const values = newValues(times, props)
  const latest = useRef(values)
  return (
    <Dialog title={t.calendar.newEvent} onClose={onClose}>
      <Form
        // Each place in the calendar has a draft of its own.
        name={`event-${calendar.calendar_id}-new-${times.startWall}-${String(times.isAllDay)}`}
        initial={values}
        submit={t.general.save}
        pointers={pointersFor(props, latest.current)}
        onSubmit={async (typed: EventValues, { once }) => {
          requireValid(typed, props, t)
          const bodies = [newBody(typed, props)]
          const [id = 0] = await told(events.create(bodies, once(bodies)))
          onMade(String(typed['event_title']), { run: () => events.remove(id), removes: true })
        }}
      >
        <EventFields calendar={calendar} clock={clock} words={words} isSeries={false} />
      </Form>
    </Dialog>
  )
}

/** The request body is a list with one event, so its errors are those of the event. */
async function told<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const errors = error.facts.errors.map((fault) => ({
      ...fault,
      pointer: fault.pointer.replace(/^\/\d+/, ''),
    }))
    throw new Problem({ ...error.facts, errors })
  })
}

export interface EventDialogProps extends Shared {
  readonly entryId: number
  /** Start of the occurrence in a series, as the server returned it. */
  readonly start: string | undefined
  readonly mayChange: boolean
  readonly mayDelete: boolean
  /** Undefined if the user sees no comments. */
  readonly comments: { readonly isAdmin: boolean } | undefined
  /** Undo is undefined if nothing changed. */
  readonly onSaved: (text: string, undo: Undo | undefined) => void
  readonly onDelete: (event: Occurrence) => void
}

export function EventDialog(props: EventDialogProps) {
  const { entryId, start, calendar, events, clock, mayChange, comments, onClose } = props
  const { t } = useTexts()
  const found = useRequest((signal) => readOccurrence(props, signal), [entryId, start])
  const { data, set } = found
  const shown = data === undefined ? t.calendar.event : data.fetched.record.event_title
  const title = mayChange ? t.calendar.editEvent : shown
  return (
    <Dialog title={title || t.calendar.untitled} onClose={onClose}>
      {data === undefined && <Loading {...found} lines={6} />}
      {data !== undefined && !mayChange && <EventFacts {...props} {...data} />}
      {data !== undefined && mayChange && (
        <EventForm
          key={entryId + data.at.start}
          {...props}
          {...data}
          onFetched={(fetched) => set({ fetched, at: movedAt(data.at, fetched.record, clock) })}
          read={() => events.read(entryId)}
        />
      )}
      {data !== undefined && <EventHistory {...props} {...data} />}
      {data !== undefined && comments !== undefined && (
        <CommentSection target={`calendar/${calendar.calendar_id}/${entryId}`} {...comments} />
      )}
    </Dialog>
  )
}

interface Found {
  readonly fetched: Fetched<EventRecord>
  readonly at: Occurrence
}

/** Reads the entry and, for a series, the occurrence; falls back to the first occurrence if it no longer exists. */
async function readOccurrence(
  { events, clock, entryId, start }: EventDialogProps,
  signal: AbortSignal,
): Promise<Found> {
  const fetched = await events.read(entryId, signal)
  const at = occurrenceOf(fetched.record, clock)
  const fromMs = Date.parse(start ?? '')
  if (fetched.record.rrule === null || start === undefined || Number.isNaN(fromMs))
    return { fetched, at }
  const window = { fromMs, toMs: fromMs + 1_000, entryId, most: 100 }
  const found = await events.occurrences(window, signal)
  const own = found.find((each) => each.start_time === start)
  return { fetched, at: own === undefined ? at : occurrenceOf(own, clock) }
}

/** A single event uses its current times. */
function movedAt(at: Occurrence, record: EventRecord, clock: FormFacts['clock']): Occurrence {
  return record.rrule === null ? occurrenceOf(record, clock) : at
}

interface EventFormProps extends EventDialogProps, Found {
  readonly onFetched: (fetched: Fetched<EventRecord>) => void
  readonly read: () => Promise<Fetched<EventRecord>>
}

function EventForm(props: EventFormProps) {
  const { fetched, at, calendar, clock, words, mayDelete, onDelete } = props
  const { t } = useTexts()
  const { save, clash, latest } = useSave(props)
  return (
    <Form
      name={formNameOf(calendar, at)}
      initial={valuesOf(fetched.record, { at, calendar, clock })}
      submit={t.general.save}
      pointers={pointersFor(props, latest.current)}
      onSubmit={save}
      actions={
        mayDelete && (
          <Button icon="trash" onPress={() => onDelete(at)}>
            {t.calendar.delete}
          </Button>
        )
      }
    >
      <Clash clash={clash} fields={clashFields(t, calendar)} />
      <EventFields
        calendar={calendar}
        clock={clock}
        words={words}
        isSeries={fetched.record.rrule !== null}
        isReplacing={fetched.record.recurrence_of !== null}
      />
    </Form>
  )
}

function useSave(props: EventFormProps) {
  const { events, fetched, at, calendar, clock, onFetched, onSaved, read } = props
  const { t } = useTexts()
  const facts = { at, calendar, clock }
  const latest = useRef<EventValues>(valuesOf(fetched.record, facts))
  const undo = useRef<Undo>()

  async function send(changed: Partial<EventValues>, etag: string): Promise<Fetched<EventRecord>> {
    const work: SeriesWork = { events, clock, fetched: { ...fetched, etag }, at }
    const values = latest.current
    const body = bodyFor(work, { changed, values, facts })
    if (body === undefined) throw new InvalidFields({ from_date: t.calendar.cannotShift })
    if (Object.keys(body).length > 0)
      undo.current = await told(changeIn(work, scopeOf(values), body))
    return fetched
  }

  const title = (): string => String(latest.current['event_title'])
  const edit = useEdit({
    fetched,
    valuesOf: (record) => valuesOf(record, facts),
    read,
    send,
    onFetched,
    onSaved: () => onSaved(fill(t.calendar.saved, { title: title() }), undo.current),
  })

  async function save(values: EventValues): Promise<void> {
    latest.current = values
    requireValid(values, facts, t)
    await edit.save(values)
  }

  return { save, clash: edit.clash, latest }
}

interface Typed {
  readonly changed: Partial<EventValues>
  readonly values: EventValues
  readonly facts: FormFacts
}

/** Returns undefined if the rule names its days explicitly, so that they cannot be shifted. */
function bodyFor(work: SeriesWork, { changed, values, facts }: Typed): EventBody | undefined {
  const scope = scopeOf(values)
  const names = Object.keys(changed)
  const plain = plainFields(changed, facts)
  const times = timesOf(values)
  const hasRule = isRule(names) && (work.fetched.record.rrule === null || scope !== 'this')
  if (times === undefined) return plain
  const moved = areTimes(names) ? fieldsFor(work, { times, scope, hasOwnRule: hasRule }) : {}
  if (moved === undefined) return undefined
  const rrule = buildRepeat(repeatOf(values), times.startWall)
  return { ...plain, ...moved, ...(hasRule && { rrule }) }
}

function clashFields(t: Speech['t'], calendar: FormFacts['calendar']): readonly ClashField[] {
  const texts = t.calendar.fields
  const labels = columnLabels(calendar, t)
  const text = (value: unknown): string => String(value) || t.general.none
  const own = [
    ['event_title', texts.title],
    ['from_date', texts.fromDate],
    ['from_time', texts.fromTime],
    ['to_date', texts.toDate],
    ['to_time', texts.toTime],
    ['location', texts.place],
    ['description', texts.description],
    ['rule', texts.rule],
  ] as const
  const columns = (calendar.columns ?? []).map(
    (column) => [columnName(column), labels(column.name)] as const,
  )
  return [...own, ...columns].map(([name, label]) => ({ name, label, text }))
}
