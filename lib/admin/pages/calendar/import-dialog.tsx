// Imports an iCalendar file: shows what the import will do, and then imports the file.

import type { Client } from 'openapi-fetch'
import { useState } from 'preact/hooks'
import type { Refusal } from '../../../shared/import-refusals.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { CalendarRecord } from './events.ts'

interface ImportDialogProps {
  readonly calendar: CalendarRecord
  readonly onClose: () => void
  readonly onImported: () => void
}

/** A file, and what its import would change. */
interface Plan {
  readonly file: File
  readonly outcome: ImportOutcome
}

export function ImportDialog(props: ImportDialogProps) {
  const { calendar, onClose } = props
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [plan, setPlan] = useState<Plan>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function read(file: File | undefined): Promise<void> {
    setPlan(undefined)
    setFault(undefined)
    if (file === undefined) return
    try {
      setPlan({ file, outcome: await importFile(api, { calendar, file, isDryRun: true }) })
    } catch (error) {
      if (!(error instanceof Problem) || !FILE_FAULTS.has(error.code)) throw error
      setFault(error.facts.detail)
    }
  }

  const act = async (work: Promise<void>): Promise<void> => {
    setBusy(true)
    await work.catch(toast.problem)
    setBusy(false)
  }
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
      {fault !== undefined && (
        <div role="alert">
          <p>{t.calendar.importNoFile}</p>
          <p class="field-hint" lang="en">
            {fault}
          </p>
        </div>
      )}
      {plan === undefined ? (
        <div class="dialog-actions">
          <Button onPress={onClose}>{t.general.cancel}</Button>
        </div>
      ) : (
        <PlanView {...props} plan={plan} isBusy={isBusy} act={act} />
      )}
    </Dialog>
  )
}

/** The server cannot read the file, or the file is too large. */
const FILE_FAULTS = new Set(['invalid-content', 'too-large'])

interface PlanViewProps extends ImportDialogProps {
  readonly plan: Plan
  readonly isBusy: boolean
  readonly act: (work: Promise<void>) => Promise<void>
}

function PlanView({ calendar, onClose, onImported, plan, isBusy, act }: PlanViewProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [done, setDone] = useState<ImportOutcome>()
  const { created, updated, unchanged, ignored, refused_count: refusedCount } = plan.outcome

  async function run(): Promise<void> {
    const outcome = await importFile(api, { calendar, file: plan.file, isDryRun: false })
    onImported()
    const text = formats.count(t.calendar.imported, outcome.created + outcome.updated)
    toast({ text, name: 'import' })
    if (outcome.refused_count <= refusedCount) onClose()
    else setDone(outcome)
  }

  if (done !== undefined)
    return (
      <>
        <NotImported {...done} />
        <div class="dialog-actions">
          <Button kind="primary" onPress={onClose}>
            {t.general.close}
          </Button>
        </div>
      </>
    )
  return (
    <>
      <p role="status">
        {fill(t.calendar.importPlan, {
          created: formats.number(created),
          updated: formats.number(updated),
          unchanged: formats.number(unchanged),
        })}
      </p>
      <NotImported {...plan.outcome} />
      {ignored.length > 0 && (
        <p class="field-hint">
          {fill(t.calendar.importIgnored, {
            names: ignored.map(({ name, count }) => `${name} (${count})`).join(', '),
          })}
        </p>
      )}
      <div class="dialog-actions">
        <Button onPress={onClose}>{t.general.cancel}</Button>
        <Button
          kind="primary"
          isBusy={isBusy}
          isDisabled={created + updated === 0}
          onPress={() => void act(run())}
        >
          {t.calendar.import}
        </Button>
      </div>
    </>
  )
}

function NotImported({ refused, refused_count: count }: ImportOutcome) {
  const { t, formats } = useTexts()
  if (count === 0) return null
  return (
    <section>
      <h3>{formats.count(t.calendar.notImported, count)}</h3>
      <ul>
        {refused.map((refusal, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change their order
          <Refused key={at} {...refusal} />
        ))}
      </ul>
    </section>
  )
}

function Refused({ title, line, code, value }: Refusal) {
  const { t } = useTexts()
  return (
    <li>
      <bdi>{title ?? t.calendar.untitled}</bdi>: {fill(t.calendar.importFaults[code], { value })}{' '}
      <span class="quiet">({fill(t.calendar.importLine, { line })})</span>
    </li>
  )
}

interface ImportOutcome {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused_count: number
  /** The first refused events. The client treats a readonly array as an object. */
  readonly refused: Refusal[]
  /** Names of properties and components that are not imported. */
  readonly ignored: { readonly name: string; readonly count: number }[]
}

interface Paths {
  '/module/calendar/{calendar}/{name}.ics': {
    post: {
      parameters: {
        readonly path: { readonly calendar: number; readonly name: string }
        readonly query: { readonly dry_run: boolean }
        readonly header: { readonly 'Content-Type': string }
      }
      requestBody: { content: { 'text/calendar': File } }
      responses: { 200: { content: { 'application/json': ImportOutcome } } }
    }
  }
}

interface ImportInput {
  readonly calendar: CalendarRecord
  readonly file: File
  /** Changes nothing, and returns what the import would change. */
  readonly isDryRun: boolean
}

/** Sends an iCalendar file to the server, which creates or updates the events of the file. */
function importFile(api: Api, { calendar, file, isDryRun }: ImportInput) {
  // The same client, typed for the paths of the Module API.
  const client = api as unknown as Client<Paths>
  const path = { calendar: calendar.calendar_id, name: calendar.module_name }
  const header = { 'Content-Type': 'text/calendar' }
  return dataOf<ImportOutcome>(
    client.POST('/module/calendar/{calendar}/{name}.ics', {
      params: { path, query: { dry_run: isDryRun }, header },
      body: file,
      bodySerializer: (body) => body,
    }),
  )
}
