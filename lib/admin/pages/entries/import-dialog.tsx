// Imports a CSV file: check the file, map its columns, then import with progress and a result.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { csvRow } from '../../../shared/csv-dialect.ts'
import { useClient } from '../../client/client-context.ts'
import { openSavedFile } from '../../client/download.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useFaultText } from '../../ui/fault-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useProblemText } from '../../ui/use-problem-text.ts'
import type { Datatable } from '../data/table.ts'
import { checkFile, CsvFault, type CsvHead } from './csv.ts'
import type { EntryRequests } from './entry-requests.ts'
import { fieldsOf, ID, isWritable } from './fields.ts'
import { ImportChoose, ImportMapping, type Mapping } from './import-steps.tsx'
import { type ImportState, type ImportWords, runImport } from './import-run.ts'

export interface ImportDialogProps {
  readonly table: Datatable
  readonly requests: EntryRequests
  readonly file: File
  readonly mayModify: boolean
  /** Asks for another file. */
  readonly onChoose: () => void
  readonly onFile: (file: File) => void
  readonly onClose: () => void
  readonly onChange: () => void
}

type Step =
  | { readonly kind: 'choose'; readonly fault?: string }
  | { readonly kind: 'check'; readonly file: File; readonly bytes: number }
  | { readonly kind: 'map'; readonly file: File; readonly head: CsvHead }
  | { readonly kind: 'run'; readonly file: File; readonly state: ImportState }
  | {
      readonly kind: 'done'
      readonly head: CsvHead
      readonly state: ImportState
      readonly error?: unknown
    }

const NOTHING: ImportState = {
  bytes: 0,
  created: 0,
  updated: 0,
  faults: [],
  line: 0,
  isStopped: false,
}

export function ImportDialog(props: ImportDialogProps) {
  const { table, mayModify, onChoose, onFile, onClose } = props
  const { t } = useTexts()
  const fields = fieldsOf(table).filter(
    (field) => isWritable(field) || (field.name === ID && mayModify),
  )
  const { step, run, stop, reasonOf } = useImportSteps(props)
  const isRunning = step.kind === 'run' || step.kind === 'check'
  return (
    <Dialog title={t.entries.importTitle} {...(!isRunning && { onClose })}>
      {step.kind === 'choose' && (
        <ImportChoose fault={step.fault} onChoose={onChoose} onFile={onFile} />
      )}
      {step.kind === 'check' && (
        <Running {...step} label={t.entries.importChecking} onStop={stop} />
      )}
      {step.kind === 'map' && (
        <ImportMapping
          tableId={table.datatable_id}
          head={step.head}
          fields={fields}
          onCancel={onClose}
          onStart={(mapping) => void run(step.file, step.head, mapping)}
        />
      )}
      {step.kind === 'run' && (
        <Running
          file={step.file}
          bytes={step.state.bytes}
          label={t.entries.importing}
          onStop={stop}
        >
          <Outcome state={step.state} />
        </Running>
      )}
      {step.kind === 'done' && (
        <Done
          step={step}
          reason={step.error === undefined ? undefined : reasonOf(step.error)}
          onAgain={onChoose}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** Checks the file, and imports its rows as they are mapped. */
function useImportSteps({ file: first, table, requests, onChange }: ImportDialogProps) {
  const { t } = useTexts()
  const { connection } = useClient()
  const words = useImportWords()
  const { reasonOf } = words
  const stop = useRef<AbortController>()
  const [step, setStep] = useState<Step>({ kind: 'check', file: first, bytes: 0 })

  async function check(file: File): Promise<void> {
    const { signal } = (stop.current = new AbortController())
    const onBytes = (bytes: number): void => setStep({ kind: 'check', file, bytes })
    onBytes(0)
    try {
      const head = await checkFile(file, { signal, onBytes })
      if (head.rows.length === 0) setStep({ kind: 'choose', fault: t.entries.importNoRows })
      else setStep({ kind: 'map', file, head })
    } catch (error) {
      if (signal.aborted) setStep({ kind: 'choose' })
      else setStep({ kind: 'choose', fault: reasonOf(error) })
    }
  }

  useEffect(() => void check(first), [first])

  async function run(file: File, head: CsvHead, { targets, mark }: Mapping): Promise<void> {
    const { signal } = (stop.current = new AbortController())
    let last = NOTHING
    const onState = (state: ImportState): void => {
      last = state
      setStep({ kind: 'run', file, state })
    }
    onState(NOTHING)
    const columns = table.columns ?? []
    const unique = columns.filter(({ isUnique }) => isUnique === true).length
    const size = { fields: columns.length, unique }
    const tools = { requests, connection, size, signal, onState, words }
    try {
      setStep({
        kind: 'done',
        head,
        state: await runImport({ file, form: head, targets, mark, ...tools }),
      })
    } catch (error) {
      setStep({ kind: 'done', head, state: { ...last, isStopped: true }, error })
    } finally {
      onChange()
    }
  }

  return { step, run, stop: () => stop.current?.abort(), reasonOf }
}

/** The reasons for which rows are refused. */
function useImportWords(): ImportWords {
  const { t, formats } = useTexts()
  const problemText = useProblemText()
  const faultText = useFaultText()
  return {
    length: (found, wanted) =>
      fill(t.entries.importLength, {
        found: formats.number(found),
        wanted: formats.number(wanted),
      }),
    number: t.entries.importNumber,
    badJson: t.entries.form.badJson,
    ambiguous: (column, text) => fill(t.entries.importAmbiguous, { column, text }),
    reasonOf(error) {
      if (error instanceof CsvFault)
        return fill(t.entries.importFault[error.kind], { line: formats.number(error.line) })
      const { title, detail } = problemText(error)
      return detail ?? title
    },
    faultText,
  }
}

interface RunningProps {
  readonly file: File
  /** Read so far. */
  readonly bytes: number
  readonly label: string
  readonly onStop: () => void
  readonly children?: ComponentChildren
}

function Running({ file, bytes, label, onStop, children }: RunningProps) {
  const { t } = useTexts()
  return (
    <>
      <Progress label={label} ratio={bytes / Math.max(file.size, 1)} />
      {children}
      <div class="dialog-actions">
        <Button onPress={onStop}>{t.general.stop}</Button>
      </div>
    </>
  )
}

function Outcome({ state }: { readonly state: ImportState }) {
  const { t, formats } = useTexts()
  const { created, updated, faults } = state
  return (
    <div role="status">
      <ul class="import-outcome">
        <li>{formats.count(t.entries.importCreated, created)}</li>
        <li>{formats.count(t.entries.importUpdated, updated)}</li>
        {faults.length > 0 && <li>{formats.count(t.entries.importFailed, faults.length)}</li>}
      </ul>
    </div>
  )
}

interface DoneProps {
  readonly step: Extract<Step, { readonly kind: 'done' }>
  readonly reason: string | undefined
  readonly onAgain: () => void
  readonly onClose: () => void
}

const MOST_FAULTS = 20

function Done({ step: { head, state }, reason, onAgain, onClose }: DoneProps) {
  const { t, formats } = useTexts()
  const toast = useToast()
  const { faults, isStopped, line } = state

  async function saveFaults(): Promise<void> {
    const file = await openSavedFile('refused.csv', 'text/csv')
    if (file === undefined) return
    const rows = faults.map(({ row, reason: why }) => [...row.cells, row.line, why])
    const all = [[...head.names, 'line', 'reason'], ...rows]
    await file.write(all.map((row) => csvRow(row)).join(''))
    await file.close()
    toast({ text: t.entries.importFaultsSaved })
  }

  return (
    <>
      <Notice
        kind={isStopped || faults.length > 0 ? 'danger' : 'success'}
        title={
          isStopped
            ? t.entries.importStopped
            : faults.length > 0
              ? t.entries.importPartly
              : t.entries.importDone
        }
      >
        {reason !== undefined && <p>{reason}</p>}
        {isStopped && <p>{fill(t.entries.importLast, { line: formats.number(line) })}</p>}
        <Outcome state={state} />
      </Notice>
      {faults.length > 0 && (
        <>
          <ul class="bulk-failed">
            {faults.slice(0, MOST_FAULTS).map(({ row, reason: why }) => (
              <li key={row.line}>
                <strong>{fill(t.entries.importLine, { line: formats.number(row.line) })}</strong>
                <span class="quiet">{why}</span>
              </li>
            ))}
          </ul>
          <div>
            <Button icon="download" onPress={() => void saveFaults().catch(toast.problem)}>
              {t.entries.importFaults}
            </Button>
          </div>
        </>
      )}
      <div class="dialog-actions">
        <Button onPress={onAgain}>{t.entries.again}</Button>
        <Button kind="primary" onPress={onClose}>
          {t.general.close}
        </Button>
      </div>
    </>
  )
}
