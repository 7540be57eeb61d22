// The fields of a new or existing event. All times are in the time zone of the calendar.

import { openClock } from '../../../shared/wall-clock.ts'
import { columnKind, inputType } from '../../client/column-kind.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { InvalidFields } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useForm } from '../../ui/use-form.ts'
import { ChoicesInput } from '../entries/choices-input.tsx'
import { ColorInput } from '../entries/color-input.tsx'
import { jsonFault } from '../entries/typed-fault.ts'
import { JsonInput } from '../entries/json/json-input.tsx'
import { MarkupInput } from '../entries/markup-input.tsx'
import { PointInput } from '../entries/point-input.tsx'
import { ReferenceInput } from '../entries/reference-input.tsx'
import {
  columnLabels,
  columnName,
  type EventValues,
  type FormFacts,
  movedEnd,
  repeatOf,
  timesOf,
} from './event-values.ts'
import type { Column } from './events.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { SCOPES } from './series.ts'
import type { Words } from './words.ts'

interface EventFieldsProps extends FormFacts {
  readonly words: Words
  /** Whether the event belongs to a series. */
  readonly isSeries: boolean
  /** Whether the event replaces one occurrence of a series, and so cannot repeat. */
  readonly isReplacing?: boolean
}

export function EventFields(props: EventFieldsProps) {
  const { calendar, clock, words, isSeries, isReplacing = false } = props
  const { t } = useTexts()
  const { values } = useForm()
  const texts = t.calendar.fields
  const labels = columnLabels(calendar, t)
  const isOne = isReplacing || (isSeries && values['scope'] === 'this')
  return (
    <>
      {isSeries && (
        <Select
          name="scope"
          label={t.calendar.which}
          hint={t.calendar.scopeText}
          options={SCOPES.map((each) => ({ value: each, text: t.calendar.scopes[each] }))}
        />
      )}
      <TextInput name="event_title" label={texts.title} isRequired isFocused={!isSeries} />
      <Checkbox name="all_day" label={texts.allDay} />
      <TimeFields />
      <YourTime clock={clock} words={words} />
      {!isOne && <RepeatFields words={words} />}
      <TextInput name="location" label={texts.place} isOptional />
      <TextInput name="description" label={texts.description} rows={3} isOptional />
      {calendar.columns?.map((column) => (
        <ColumnField key={column.name} column={column} label={labels(column.name)} />
      ))}
    </>
  )
}

function TimeFields() {
  const { t } = useTexts()
  const { values, set } = useForm()
  const texts = t.calendar.fields
  const isAllDay = values['all_day'] === true
  const move = (name: string) => (value: string) => {
    for (const [each, next] of Object.entries(movedEnd(values, { [name]: value }))) set(each, next)
  }
  const text = (name: string): string => String(values[name] ?? '')
  return (
    <div class="event-times">
      <div class="event-pair">
        <TextInput
          name="from_date"
          label={texts.fromDate}
          type="date"
          value={text('from_date')}
          onChange={move('from_date')}
          isRequired
        />
        {!isAllDay && (
          <TextInput
            name="from_time"
            label={texts.fromTime}
            type="time"
            value={text('from_time')}
            onChange={move('from_time')}
            isRequired
          />
        )}
      </div>
      <div class="event-pair">
        <TextInput name="to_date" label={texts.toDate} type="date" isRequired />
        {!isAllDay && <TextInput name="to_time" label={texts.toTime} type="time" isOptional />}
      </div>
    </div>
  )
}

/** Shows the time in the reader's time zone if it differs. */
function YourTime({ clock, words }: Pick<EventFieldsProps, 'clock' | 'words'>) {
  const { t } = useTexts()
  const { values } = useForm()
  const times = timesOf(values)
  const { timeZone: zone } = clock
  const own = OWN_ZONE
  if (times === undefined || times.isAllDay || own === zone)
    return <p class="field-hint">{fill(t.calendar.zone, { zone })}</p>
  const here = openClock(own)
  const [startWall, endWall] = [times.startWall, times.endWall].map((wall) =>
    here.wallOf(clock.instantOf(wall)),
  )
  const time = words.when({ startWall: startWall ?? 0, endWall: endWall ?? 0, isAllDay: false })
  return (
    <p class="field-hint">
      {fill(t.calendar.zone, { zone })}. {fill(t.calendar.yourTime, { zone: own, time })}
    </p>
  )
}

/** Throws InvalidFields for errors that the page can detect. */
export function requireValid(
  values: EventValues,
  { calendar }: Pick<FormFacts, 'calendar'>,
  t: ReturnType<typeof useTexts>['t'],
): void {
  const { kind, ends, interval, count, until, days } = repeatOf(values)
  const times = timesOf(values)
  const isWhole = (text: string): boolean => /^[1-9]\d*$/.test(text.trim())
  const isRegular = kind !== 'none' && kind !== 'custom' && values['scope'] !== 'this'
  const faults: Record<string, string> = {}
  if (times === undefined) faults['from_date'] = t.calendar.invalidDate
  if (times !== undefined && times.endWall < times.startWall)
    faults['to_date'] = t.calendar.endBeforeStart
  if (isRegular && !isWhole(interval)) faults['interval'] = t.calendar.invalidNumber
  if (isRegular && ends === 'after' && !isWhole(count)) faults['count'] = t.calendar.invalidNumber
  if (isRegular && ends === 'on' && until === '') faults['until'] = t.calendar.invalidDate
  if (isRegular && kind === 'weekly' && days === '') faults['days'] = t.calendar.noDays
  for (const column of calendar.columns ?? []) {
    const fault = jsonFault({ column }, String(values[columnName(column)] ?? ''), t)
    if (fault !== undefined) faults[columnName(column)] = fault
  }
  if (Object.keys(faults).length > 0) throw new InvalidFields(faults)
}

/** Maps JSON pointers of server errors to form fields. */
export function pointersFor({ calendar }: FormFacts, values: EventValues) {
  const columns = (calendar.columns ?? []).map((column) => [`/${column.name}`, columnName(column)])
  return {
    '/start_time': 'from_date',
    '/end_time': 'to_date',
    '/rrule': values['repeat'] === 'custom' ? 'rule' : 'repeat',
    ...(Object.fromEntries(columns) as Readonly<Record<string, string>>),
  }
}

/** Columns that allow longer texts get several lines. */
const LINE = 120

interface ColumnFieldProps {
  readonly column: Column
  readonly label: string
}

/** An input for an additional column of a calendar, by column type. */
function ColumnField({ column, label }: ColumnFieldProps) {
  const { t } = useTexts()
  const { type, size, isRequired, values, references } = column
  const all = { name: columnName(column), label, labelTitle: column.name }
  const kind = columnKind(type ?? 'C')
  if (references !== null && references !== undefined) {
    const own = { ...all, isOptional: isRequired !== true, isReadOnly: false }
    return <ReferenceInput {...own} references={references} />
  }
  if (kind === 'boolean') return <Checkbox {...all} />
  if (kind === 'choice') {
    const none = { value: '', text: t.general.none }
    const options = (values ?? []).map((value) => ({ value, text: value }))
    return <Select {...all} options={isRequired === true ? options : [none, ...options]} />
  }
  const isOptional = isRequired !== true
  const own = { ...all, isOptional, isReadOnly: false }
  if (kind === 'choices') return <ChoicesInput {...own} values={values ?? []} />
  if (kind === 'point') return <PointInput {...own} />
  if (type === 'COLOR') return <ColorInput {...own} />
  if (kind === 'json') return <JsonInput {...own} />
  if (type === 'MD') return <MarkupInput {...own} language="markdown" />
  if (type === 'HTML') return <MarkupInput {...own} language="html" />
  const isLong = kind === 'long' || (size ?? 0) > LINE
  return (
    <TextInput
      {...all}
      type={inputType(type ?? 'C')}
      isOptional={isOptional}
      {...(isLong && { rows: 3 })}
    />
  )
}
