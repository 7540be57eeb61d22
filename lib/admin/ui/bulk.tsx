// The same done to several things: some at once, with progress where it takes a while. Each that fails is told with its
// reason, and the others go on.
//
//   const bulk = useBulk({ nameOf: (file) => file.name, failed: t.content.failed, undone: t.content.undone, onChange: reload })
//   bulk.run({ title: t.content.publish, items: files, work: publishOne, told: t.content.published })
//   {bulk.view}
//
// The items may also come one after the other from the server, where `count` says how many are expected.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Counted } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Progress } from './progress.tsx'
import { useToast } from './toast.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface BulkJob<T> {
  /** What is done, as the heading of its progress. */
  readonly title: string
  readonly items: readonly T[] | AsyncIterable<T>
  /** Of items that come one after the other; undefined: nobody knows. */
  readonly count?: number | undefined
  readonly work: (item: T) => Promise<unknown>
  /** Said of those that went well. */
  readonly told: Counted
  /** Takes it back for one of them; said in place of the usual when it has. */
  readonly undo?: (item: T) => Promise<unknown>
  /** In place of what follows usually, where all went well. */
  readonly onDone?: () => void
}

export interface BulkOptions<T> {
  readonly nameOf: (item: T) => string
  /** Said above those that failed. */
  readonly failed: Counted
  readonly undone: Counted
  readonly onChange: () => void
}

interface Failed {
  readonly name: string
  readonly error: unknown
}

interface Running {
  readonly title: string
  readonly expected: number | undefined
  readonly count: number
  readonly failed: readonly Failed[]
  readonly isOver: boolean
}

export interface Bulk<T> {
  readonly run: (job: BulkJob<T>) => void
  readonly view: ComponentChildren
}

const AT_ONCE = 4

/** Of things of which so many went well, they are remembered. */
const MOST_UNDONE = 10_000

// oxlint-disable-next-line eslint/max-lines-per-function -- the state of one job, which its parts share
export function useBulk<T>({ nameOf, failed: told, undone, onChange }: BulkOptions<T>): Bulk<T> {
  const { t, formats } = useTexts()
  const toast = useToast()
  const [running, setRunning] = useState<Running>()
  const isStopped = useRef(false)

  async function run(job: BulkJob<T>): Promise<void> {
    const { items, undo, title } = job
    const [done, failed]: [T[], Failed[]] = [[], []]
    let count = 0
    isStopped.current = false
    const expected = isList(items) ? items.length : job.count
    const show = (isOver: boolean): void =>
      setRunning({ title, expected, count: count + failed.length, failed: [...failed], isOver })
    show(false)
    const rest = isList(items) ? items.values() : items[Symbol.asyncIterator]()
    const worker = async (): Promise<void> => {
      for (;;) {
        const next = await rest.next()
        if (next.done === true || isStopped.current) return
        const item = next.value
        await job.work(item).then(
          () => {
            count += 1
            if (done.length <= MOST_UNDONE) done.push(item)
          },
          (error: unknown) => failed.push({ name: nameOf(item), error }),
        )
        show(false)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch(toast.problem)

    if (failed.length > 0) show(true)
    else setRunning(undefined)
    if (failed.length === 0 && job.onDone !== undefined) job.onDone()
    else onChange()
    if (count === 0) return
    const again = undo && { title: t.general.undo, work: undo, told: undone }
    toast({
      text: formats.count(job.told, count),
      ...(again !== undefined &&
        done.length === count && {
          action: { text: t.general.undo, onPress: () => void run({ ...again, items: done }) },
        }),
    })
  }

  return {
    run: (job) => void run(job),
    view: running !== undefined && (
      <BulkDialog
        running={running}
        told={told}
        onStop={() => {
          isStopped.current = true
        }}
        onClose={() => setRunning(undefined)}
      />
    ),
  }
}

function isList<T>(items: BulkJob<T>['items']): items is readonly T[] {
  return Array.isArray(items)
}

interface BulkDialogProps {
  readonly running: Running
  readonly told: Counted
  readonly onStop: () => void
  readonly onClose: () => void
}

/** Where a few are through in a moment, nothing is to be seen of it. */
const FEW = 8

/** Of more nobody reads the reasons. */
const MOST_FAILED = 100

function BulkDialog({ running, told, onStop, onClose }: BulkDialogProps) {
  const { t, formats } = useTexts()
  const { title, expected, count, failed, isOver } = running
  if (!isOver && expected !== undefined && expected <= FEW) return null
  return (
    <Dialog title={title} {...(isOver && { onClose })}>
      {!isOver && (
        <Progress
          label={title}
          {...(expected !== undefined && { ratio: Math.min(count / expected, 1) })}
        />
      )}
      {failed.length > 0 && (
        <>
          <p role="alert">{formats.count(told, failed.length)}</p>
          <ul class="bulk-failed">
            {failed.slice(0, MOST_FAILED).map((item, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- they only become more
              <FailedItem key={at} {...item} />
            ))}
          </ul>
        </>
      )}
      <div class="dialog-actions">
        {isOver ? (
          <Button onPress={onClose}>{t.general.close}</Button>
        ) : (
          <Button onPress={onStop}>{t.general.stop}</Button>
        )}
      </div>
    </Dialog>
  )
}

function FailedItem({ name, error }: Failed) {
  const { title, detail } = useProblemText()(error)
  return (
    <li>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="quiet">
        {title} {detail}
      </span>
    </li>
  )
}
