// The dialog that sets the times at which files are published, unpublished or staged.

import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { Problem } from '../../client/problem.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { type ScheduleFields, useFileBulk, useFileWork } from './file-work.ts'
import { instantsOf, localOf } from './local-time.ts'
import type { FileRecord } from './records.ts'

const TIMES = ['publish_at', 'unpublish_at', 'stage_at'] as const

type TimeName = (typeof TIMES)[number]

interface Opened {
  readonly files: readonly FileRecord[]
  readonly may: (grant: Grant) => boolean
}

/** Sets the same times for one or more files; the caller renders `view`. */
export function useScheduling(onChange: () => void) {
  const [opened, setOpened] = useState<Opened>()
  const work = useFileWork()
  const bulk = useFileBulk(onChange)

  async function schedule([first, ...rest]: readonly FileRecord[], fields: ScheduleFields) {
    if (first === undefined) return
    const job = work.schedule(fields)
    try {
      // A time that the server refuses is refused for the first file already, and the dialog shows why.
      await job.work(first)
    } catch (error) {
      if (rest.length === 0 || isOfFields(error)) throw error
      // The fault is one of this file alone: it is listed, and the others are scheduled.
      return bulk.run({ ...job, items: [first, ...rest] })
    }
    bulk.run({ ...job, finished: [first], items: rest })
  }

  const close = (): void => setOpened(undefined)
  return {
    open: (files: readonly FileRecord[], may: (grant: Grant) => boolean) =>
      setOpened({ files, may }),
    view: (
      <>
        {bulk.view}
        {opened !== undefined && (
          <ScheduleDialog
            {...opened}
            onClose={close}
            onSave={async (fields) => {
              if (Object.keys(fields).length > 0) await schedule(opened.files, fields)
              close()
            }}
          />
        )}
      </>
    ),
  }
}

interface ScheduleDialogProps extends Opened {
  readonly onClose: () => void
  /** Takes the changed times. */
  readonly onSave: (fields: ScheduleFields) => Promise<void>
}

function ScheduleDialog({ files, may, onClose, onSave }: ScheduleDialogProps) {
  const { t, formats } = useTexts()
  const [isTwice, setIsTwice] = useState(false)
  const [file] = files
  const shown = TIMES.filter((name) => may(name === 'stage_at' ? 'stage' : 'publish'))
  const mixed = new Set(shown.filter((name) => files.some((each) => each[name] !== file?.[name])))
  const before = (name: TimeName): string => (mixed.has(name) ? '' : localOf(file?.[name] ?? null))
  const older = mixed.has('publish_at') || !may('publish') ? [] : files.filter(isOlderScheduled)
  const instantOf = (name: TimeName, local: string, which: string): string => {
    const [first, second] = instantsOf(local)
    if (first === undefined) throw new InvalidFields({ [name]: t.schedule.skipped })
    if (second === undefined) return first
    setIsTwice(true)
    if (!isTwice) throw new InvalidFields({ [name]: t.schedule.twice })
    return which === 'second' ? second : first
  }

  return (
    <Dialog
      title={
        files.length === 1
          ? fill(t.schedule.title, { name: file?.name ?? '' })
          : formats.count(t.schedule.titleOfMany, files.length)
      }
      onClose={onClose}
    >
      <Form
        name={`schedule-${file?.asset_file_id}`}
        initial={{
          ...Object.fromEntries(shown.map((name) => [name, before(name)])),
          ...Object.fromEntries([...mixed].map((name) => [clearing(name), false])),
          newest: false,
          which: 'first',
        }}
        submit={t.schedule.save}
        isForgotten
        onSubmit={async (values: Readonly<Record<string, string | boolean>>) => {
          const fields: ScheduleFields = {}
          for (const name of shown) {
            const local = String(values[name] ?? '')
            const isCleared = values[clearing(name)] === true && local === ''
            const isRenewed = name === 'publish_at' && values['newest'] === true && local !== ''
            if (local === before(name) && !isRenewed && !isCleared) continue
            fields[name] = local === '' ? null : instantOf(name, local, String(values['which']))
          }
          await onSave(fields)
        }}
      >
        <p class="quiet">{fill(t.schedule.times, { zone: OWN_ZONE })}</p>
        {shown.map((name) => (
          <Fragment key={name}>
            <TextInput
              name={name}
              label={t.schedule[name]}
              type="datetime-local"
              isOptional
              {...(mixed.has(name) && { hint: t.schedule.mixed })}
            />
            {mixed.has(name) && <Checkbox name={clearing(name)} label={t.schedule.clear[name]} />}
          </Fragment>
        ))}
        {isTwice && (
          <Select
            name="which"
            label={t.schedule.which}
            options={(['first', 'second'] as const).map((value) => ({
              value,
              text: t.schedule[value],
            }))}
          />
        )}
        {older.length > 0 && (
          <>
            <Notice kind="info">
              {files.length === 1
                ? fill(t.schedule.older, { version: formats.number(file?.publish_version ?? 0) })
                : formats.count(t.schedule.olderOfMany, older.length)}
            </Notice>
            <Checkbox
              name="newest"
              label={files.length === 1 ? t.schedule.newest : t.schedule.newestOfMany}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}

/** The name of the checkbox that removes different times. */
function clearing(name: TimeName): string {
  return `${name}_cleared`
}

function isOfFields(error: unknown): boolean {
  return error instanceof Problem && error.facts.errors.length > 0
}

/** The file has changed since the scheduled version. */
function isOlderScheduled({ version, publish_version: scheduled }: FileRecord): boolean {
  return scheduled !== null && scheduled < version
}
