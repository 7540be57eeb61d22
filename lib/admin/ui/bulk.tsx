// Runs one action on several items, a few at a time, with progress if it takes a while. Failed items are listed with
// the reason, and the others continue.
//
//   const bulk = useBulk({ nameOf: (file) => file.name, failed: t.content.failed, undone: t.content.undone, onChange: reload })
//   bulk.run({ title: t.content.publish, items: files, work: publishOne, doneText: t.content.published })
//   {bulk.view}
//
// Items may also be an async iterable; `count` is then the expected number.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Counted, fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Progress } from './progress.tsx'
import { type ToastAction, useToast } from './toast.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface BulkJob<T> {
  /** Heading of the progress dialog. */
  readonly title: string
  readonly items: readonly T[] | AsyncIterable<T>
  /** Items whose work succeeded before the job. They count as done, and an undo includes them. */
  readonly finished?: readonly T[]
  /** Expected number of streamed items; undefined if unknown. */
  readonly count?: number | undefined
  readonly work: (item: T) => Promise<unknown>
  /** The same work for several items in one request; returns the error of each item, or undefined. */
  readonly workTogether?: (items: readonly T[]) => Promise<readonly unknown[]>
  /** Message about the successful items. */
  readonly doneText: Counted
  /** The message about a single item, with a place for its name, and the buttons before Undo. */
  readonly textOfOne?: string
  readonly actionsOfOne?: (item: T) => readonly ToastAction[]
  /** If a single item cannot be undone, a message says why, and no dialog opens. */
  readonly isUndo?: boolean
  /** Undoes the action for one item. */
  readonly undo?: (item: T) => Promise<unknown>
  /** The same undo for several items in one request, like workTogether. */
  readonly undoTogether?: (items: readonly T[]) => Promise<readonly unknown[]>
  /** Whether undo is possible, asked after the action; without this function, undo always is. */
  readonly mayUndo?: (done: readonly T[]) => Promise<boolean>
  /** Called instead of onChange if all items succeeded. */
  readonly onDone?: () => void
}

/** A job that is over; its undo may have turned out to be impossible. */
type Done<T> = Omit<BulkJob<T>, 'undo'> & { readonly undo?: BulkJob<T>['undo'] | undefined }

export interface BulkOptions<T> {
  readonly nameOf: (item: T) => string
  /** The subject of messages about a single item. */
  readonly subjectOf?: (item: T) => string
  /** Heading of the failed items. */
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
/** Items of one request, so that a selection makes few requests and still shows its progress. */
const TOGETHER = 25

/** Items are kept for undo up to this number. */
const MOST_UNDONE = 10_000

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts share the state of one job
export function useBulk<T>({
  nameOf,
  subjectOf = nameOf,
  failed: failedText,
  undone,
  onChange,
}: BulkOptions<T>): Bulk<T> {
  const { t, formats } = useTexts()
  const toast = useToast()
  const [running, setRunning] = useState<Running>()
  const isStopped = useRef(false)

  async function run(job: BulkJob<T>): Promise<void> {
    const { items, title, finished = [] } = job
    const [done, failed]: [T[], (Failed & { readonly item: T })[]] = [[...finished], []]
    let count = done.length
    isStopped.current = false
    const expected = isList(items) ? items.length + count : job.count
    const show = (isOver: boolean): void =>
      setRunning({ title, expected, count: count + failed.length, failed: [...failed], isOver })
    show(false)
    const rest = isList(items) ? items.values() : items[Symbol.asyncIterator]()
    const size = isList(items) && items.length > 1 && job.workTogether !== undefined ? TOGETHER : 1
    const worker = async (): Promise<void> => {
      for (;;) {
        const some = await take(rest, size)
        if (some.length === 0 || isStopped.current) return
        const errors = await errorsOf(job, some)
        for (const [at, item] of some.entries()) {
          if (errors[at] !== undefined) failed.push({ item, name: nameOf(item), error: errors[at] })
          else {
            count += 1
            if (done.length <= MOST_UNDONE) done.push(item)
          }
        }
        show(false)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch(toast.problem)

    const [first] = failed
    if (job.isUndo === true && first !== undefined && count + failed.length === 1) {
      setRunning(undefined)
      toast.problem(first.error, subjectOf(first.item))
    } else if (failed.length > 0) show(true)
    else setRunning(undefined)
    if (failed.length === 0 && job.onDone !== undefined) job.onDone()
    else onChange()
    if (count === 0) return
    const mayUndo = (await job.mayUndo?.(done).catch(() => false)) ?? true
    tell(mayUndo ? job : { ...job, undo: undefined }, done, count)
  }

  function tell(job: Done<T>, done: readonly T[], count: number): void {
    const { undo, undoTogether: workTogether, textOfOne, actionsOfOne } = job
    const [first] = done
    const one = count === 1 ? first : undefined
    const again = undo && {
      title: t.general.undo,
      isUndo: true,
      work: undo,
      ...(workTogether !== undefined && { workTogether }),
      doneText: undone,
    }
    const undoAction = again !== undefined &&
      done.length === count && {
        text: t.general.undo,
        onPress: () => void run({ ...again, items: done }),
      }
    toast({
      name: one === undefined ? 'bulk' : subjectOf(one),
      text:
        one !== undefined && textOfOne !== undefined
          ? fill(textOfOne as '{name}', { name: nameOf(one) })
          : formats.count(job.doneText, count),
      actions: [
        ...(one === undefined ? [] : (actionsOfOne?.(one) ?? [])),
        ...(undoAction === false ? [] : [undoAction]),
      ],
    })
  }

  return {
    run: (job) => void run(job),
    view: running !== undefined && (
      <BulkDialog
        running={running}
        failedText={failedText}
        onStop={() => {
          isStopped.current = true
        }}
        onClose={() => setRunning(undefined)}
      />
    ),
  }
}

async function take<T>(rest: Iterator<T> | AsyncIterator<T>, size: number): Promise<readonly T[]> {
  const some: T[] = []
  while (some.length < size) {
    const next = await rest.next()
    if (next.done === true) break
    some.push(next.value)
  }
  return some
}

/** The error of each item; undefined for an item whose work succeeded. */
async function errorsOf<T>(
  { work, workTogether }: BulkJob<T>,
  some: readonly T[],
): Promise<readonly unknown[]> {
  try {
    if (some.length > 1 && workTogether !== undefined) return await workTogether(some)
    for (const item of some) await work(item)
    return []
  } catch (error) {
    return some.map(() => error)
  }
}

function isList<T>(items: BulkJob<T>['items']): items is readonly T[] {
  return Array.isArray(items)
}

interface BulkDialogProps {
  readonly running: Running
  readonly failedText: Counted
  readonly onStop: () => void
  readonly onClose: () => void
}

/** Up to this number, no progress is shown. */
const FEW = 8

/** Maximum number of listed failures. */
const MOST_FAILED = 100

function BulkDialog({ running, failedText, onStop, onClose }: BulkDialogProps) {
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
          <p role="alert">{formats.count(failedText, failed.length)}</p>
          <ul class="bulk-failed">
            {failed.slice(0, MOST_FAILED).map((item, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list only grows
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
