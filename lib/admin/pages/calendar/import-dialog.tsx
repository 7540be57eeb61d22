// Imports an iCalendar file: shows what the import will do, and then what the server refused.

import { useState } from 'preact/hooks'
import { type Clock, openClock } from '../../../shared/wall-clock.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { CalendarFile } from './calendar-file.ts'
import type { CalendarRecord } from './events.ts'
import { importEvents, type NotImported, readUids } from './import-events.ts'

interface ImportDialogProps {
  readonly calendar: CalendarRecord
  readonly onClose: () => void
  readonly onImported: () => void
}

interface Plan extends CalendarFile {
  readonly known: ReadonlyMap<string, number>
  readonly updated: number
}

/** Rows that the lists of the dialog show. */
const MOST = 100

export function ImportDialog({ calendar, onClose, onImported }: ImportDialogProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [plan, setPlan] = useState<Plan>()
  const [fault, setFault] = useState<string>()
  const [refused, setRefused] = useState<readonly NotImported[]>()
  const [isBusy, setBusy] = useState(false)

  async function read(file: File | undefined): Promise<void> {
    setPlan(undefined)
    setFault(undefined)
    if (file === undefined) return
    const found = await readFile(file, openClock(calendar.time_zone ?? 'UTC'))
    if (found === undefined) return setFault(t.calendar.importNoFile)
    const known = await readUids(api, calendar)
    const updated = found.events.filter(({ body }) => known.has(String(body['uid']))).length
    setPlan({ ...found, known, updated })
  }

  async function run({ events, known }: Plan): Promise<void> {
    const done = await importEvents(api, { calendar, events, known })
    onImported()
    toast({ text: formats.count(t.calendar.imported, done.count), name: 'import' })
    if (done.refused.length === 0) onClose()
    else setRefused(done.refused)
  }

  const act = async (work: Promise<void>): Promise<void> => {
    setBusy(true)
    await work.catch(toast.problem)
    setBusy(false)
  }
  if (refused !== undefined)
    return (
      <Dialog title={t.calendar.import} onClose={onClose}>
        <NotTaken rows={refused} />
        <Button onPress={onClose}>{t.general.close}</Button>
      </Dialog>
    )
  return (
    <Dialog title={t.calendar.import} onClose={onClose}>
      <p>{t.calendar.importText}</p>
      <label class="field">
        <span class="field-label">{t.calendar.importFile}</span>
        <input
          type="file"
          accept=".ics,text/calendar"
          onChange={(event) => void act(read(event.currentTarget.files?.[0]))}
        />
      </label>
      {fault !== undefined && <p role="alert">{fault}</p>}
      {plan !== undefined && (
        <>
          <p role="status">
            {fill(t.calendar.importPlan, {
              created: formats.number(plan.events.length - plan.updated),
              updated: formats.number(plan.updated),
            })}
          </p>
          <NotTaken
            rows={plan.refused.map(({ title, fault: code, value }) => ({
              title,
              reason: fill(t.calendar.importFaults[code], { value }),
            }))}
          />
          {plan.ignored.size > 0 && (
            <p class="field-hint">
              {fill(t.calendar.importIgnored, {
                names: [...plan.ignored].map(([name, count]) => `${name} (${count})`).join(', '),
              })}
            </p>
          )}
          <Button
            kind="primary"
            isBusy={isBusy}
            isDisabled={plan.events.length === 0}
            onPress={() => void act(run(plan))}
          >
            {t.calendar.import}
          </Button>
        </>
      )}
    </Dialog>
  )
}

/** Undefined if the file is not an iCalendar file. The parser is loaded with the first file. */
async function readFile(file: File, clock: Clock): Promise<CalendarFile | undefined> {
  const { readCalendarFile } = await import('./calendar-file.ts')
  const text = await file.text()
  try {
    return readCalendarFile(text, clock)
  } catch {
    return undefined
  }
}

function NotTaken({ rows }: { readonly rows: readonly NotImported[] }) {
  const { t, formats } = useTexts()
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{formats.count(t.calendar.notImported, rows.length)}</h3>
      <ul>
        {rows.slice(0, MOST).map(({ title, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
          <li key={at}>
            <bdi>{title || t.calendar.untitled}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </section>
  )
}
