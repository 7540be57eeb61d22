// The repetition fields of an event. Rules that these fields cannot express are edited as text.

import { WEEKDAYS } from '../../../shared/recurrence-rule.ts'
import { DAY_MS } from '../../../shared/wall-clock.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useForm } from '../../ui/use-form.ts'
import { repeatOf } from './event-values.ts'
import { buildRepeat, describe, ENDS, type Kind, KINDS } from './rule.ts'
import { parseWall } from './wall.ts'
import type { Words } from './words.ts'

/** 1 February 1970 was a Sunday. */
export const SUNDAY = 31 * DAY_MS

export function RepeatFields({ words }: { readonly words: Words }) {
  const { t } = useTexts()
  const { values, set } = useForm()
  const texts = t.calendar.fields
  const kind = String(values['repeat']) as Kind
  const startWall = parseWall(String(values['from_date'])) ?? 0
  const { ordinal, isLast } = describe(startWall)
  const kinds = KINDS.filter((each) => {
    if (each === 'monthlyWeekday') return ordinal <= 4 || kind === each
    return each !== 'monthlyLast' || isLast || kind === each
  })

  /** A custom rule starts from the current rule. */
  function change(next: string): void {
    const rule =
      kind === 'custom' || kind === 'none' ? '' : buildRepeat(repeatOf(values), startWall)
    if (next === 'custom' && rule) set('rule', rule)
    set('repeat', next)
  }

  return (
    <>
      <Select
        name="repeat"
        label={texts.repeat}
        value={kind}
        onChange={change}
        options={kinds.map((each) => ({ value: each, text: kindText(each, startWall, words, t) }))}
      />
      {kind === 'custom' && (
        <TextInput name="rule" label={texts.rule} hint={texts.ruleHint} rows={2} isRequired />
      )}
      {kind !== 'none' && kind !== 'custom' && <Regular kind={kind} words={words} />}
    </>
  )
}

type Regularly = Exclude<Kind, 'none' | 'custom'>

function Regular({ kind, words }: { readonly kind: Regularly; readonly words: Words }) {
  const { t, formats } = useTexts()
  const { values } = useForm()
  const texts = t.calendar.fields
  const interval = Number(values['interval'])
  const every = t.calendar.every[kind]
  return (
    <>
      <div class="event-pair">
        <TextInput
          name="interval"
          label={texts.interval}
          hint={interval >= 1 ? formats.count(every, interval) : undefined}
          inputMode="numeric"
          isRequired
        />
        <Select
          name="ends"
          label={texts.ends}
          options={ENDS.map((each) => ({ value: each, text: t.calendar.ends[each] }))}
        />
      </div>
      {kind === 'weekly' && <Days words={words} />}
      {values['ends'] === 'on' && (
        <TextInput name="until" label={texts.until} type="date" isRequired />
      )}
      {values['ends'] === 'after' && (
        <TextInput name="count" label={texts.count} inputMode="numeric" isRequired />
      )}
    </>
  )
}

function Days({ words }: { readonly words: Words }) {
  const { t } = useTexts()
  const { values, set, faults } = useForm()
  const chosen = String(values['days']).split(',').filter(Boolean)
  return (
    <fieldset class="event-days" aria-invalid={faults['days'] !== undefined}>
      <legend class="field-label">{t.calendar.fields.days}</legend>
      {words.week.map((weekday) => {
        const code = WEEKDAYS[weekday] ?? 'MO'
        const wall = SUNDAY + weekday * DAY_MS
        const isChosen = chosen.includes(code)
        return (
          <button
            key={code}
            type="button"
            class="button"
            aria-pressed={isChosen}
            onClick={() =>
              set(
                'days',
                WEEKDAYS.filter((each) => (each === code ? !isChosen : chosen.includes(each))).join(
                  ',',
                ),
              )
            }
          >
            <span aria-hidden="true">{words.weekday(wall, 'short')}</span>
            <span class="unseen">{words.weekday(wall, 'long')}</span>
          </button>
        )
      })}
      {faults['days'] !== undefined && <p class="field-fault">{faults['days']}</p>}
    </fieldset>
  )
}

function kindText(
  kind: Kind,
  startWall: number,
  words: Words,
  t: ReturnType<typeof useTexts>['t'],
): string {
  const { kinds } = t.calendar
  const { monthDay, ordinal } = describe(startWall)
  const weekday = words.weekday(startWall, 'long')
  if (kind === 'monthly') return fill(kinds.monthly, { day: monthDay })
  if (kind === 'monthlyWeekday')
    return fill(kinds.monthlyWeekday[Math.min(ordinal, 4) as 1 | 2 | 3 | 4], { weekday })
  if (kind === 'monthlyLast') return fill(kinds.monthlyLast, { weekday })
  if (kind === 'yearly') return fill(kinds.yearly, { date: words.yearDay(startWall) })
  return kinds[kind]
}
