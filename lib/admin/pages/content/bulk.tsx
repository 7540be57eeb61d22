// The same done to several files: some at once, with progress where it takes a while. Each that fails is told with its
// reason, and the others go on.
//
//   const bulk = useBulk(reload)
//   bulk.run({ title: t.content.publish, files, work: publishOne, told: t.content.published })
//   {bulk.view}

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Counted } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useProblemText } from '../../ui/use-problem-text.ts'
import type { FileRecord } from './records.ts'

export interface BulkJob {
  /** What is done, as the heading of its progress. */
  readonly title: string
  readonly files: readonly FileRecord[]
  readonly work: (file: FileRecord) => Promise<unknown>
  /** Said of those that went well. */
  readonly told: Counted
  /** Takes it back for one file. */
  readonly undo?: (file: FileRecord) => Promise<unknown>
  /** In place of what follows usually, where all went well. */
  readonly onDone?: () => void
}

interface Failed {
  readonly file: FileRecord
  readonly error: unknown
}

interface Running {
  readonly job: BulkJob
  readonly count: number
  readonly failed: readonly Failed[]
  readonly isOver: boolean
}

export interface Bulk {
  readonly run: (job: BulkJob) => void
  readonly view: ComponentChildren
}

const AT_ONCE = 4

export function useBulk(onChange: () => void): Bulk {
  const { t, formats } = useTexts()
  const toast = useToast()
  const [running, setRunning] = useState<Running>()
  const isStopped = useRef(false)

  async function run(job: BulkJob): Promise<void> {
    const { files, told, undo } = job
    const [done, failed]: [FileRecord[], Failed[]] = [[], []]
    isStopped.current = false
    const show = (isOver: boolean): void => {
      const count = done.length + failed.length
      setRunning({ job, count, failed: [...failed], isOver })
    }
    show(false)
    const rest = files.values()
    const worker = async (): Promise<void> => {
      for (const file of rest) {
        if (isStopped.current) return
        await job.work(file).then(
          () => done.push(file),
          (error: unknown) => failed.push({ file, error }),
        )
        show(false)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))

    if (failed.length > 0) show(true)
    else setRunning(undefined)
    if (failed.length === 0 && job.onDone !== undefined) job.onDone()
    else onChange()
    if (done.length === 0) return
    const again = undo && { title: t.general.undo, work: undo, told: t.content.undone }
    toast({
      text: formats.count(told, done.length),
      ...(again && {
        action: { text: t.general.undo, onPress: () => void run({ ...again, files: done }) },
      }),
    })
  }

  return {
    run: (job) => void run(job),
    view: running !== undefined && (
      <BulkDialog
        running={running}
        onStop={() => {
          isStopped.current = true
        }}
        onClose={() => setRunning(undefined)}
      />
    ),
  }
}

interface BulkDialogProps {
  readonly running: Running
  readonly onStop: () => void
  readonly onClose: () => void
}

/** Where a few files are through in a moment, nothing is to be seen of it. */
const FEW = 8

function BulkDialog({ running, onStop, onClose }: BulkDialogProps) {
  const { t, formats } = useTexts()
  const { job, count, failed, isOver } = running
  if (!isOver && job.files.length <= FEW) return null
  return (
    <Dialog title={job.title} {...(isOver && { onClose })}>
      {!isOver && <Progress label={job.title} ratio={count / job.files.length} />}
      {failed.length > 0 && (
        <>
          <p role="alert">{formats.count(t.content.failed, failed.length)}</p>
          <ul class="bulk-failed">
            {failed.map((item) => (
              <FailedFile key={item.file.asset_file_id} {...item} />
            ))}
          </ul>
        </>
      )}
      <div class="dialog-actions">
        {isOver ? (
          <Button onPress={onClose}>{t.general.close}</Button>
        ) : (
          <Button onPress={onStop}>{t.content.stop}</Button>
        )}
      </div>
    </Dialog>
  )
}

function FailedFile({ file, error }: Failed) {
  const { title, detail } = useProblemText()(error)
  return (
    <li>
      <strong>
        <bdi>{file.name}</bdi>
      </strong>
      <span class="quiet">
        {title} {detail}
      </span>
    </li>
  )
}
