// The publication state of a file: undoes a publish, a stage, an unpublish or an unstage, and says what is live.

import type { paths } from '../../client/interface.d.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { problemFrom } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { type ToastAction, useToast } from '../../ui/toast.tsx'
import type { FileRecord } from './records.ts'
import { mayView, useViewFile } from './view-file.ts'

type Batch = paths['/batch']['post']
export type FileOperation =
  Batch['requestBody']['content']['application/json']['operations'][number]
type Result = Batch['responses'][200]['content']['application/json']['results'][number]

/** Carries out operations in one request, each by itself. */
export async function runOperations(
  api: Api,
  operations: readonly FileOperation[],
): Promise<readonly Result[]> {
  const body = { mode: 'each' as const, operations: [...operations] }
  return (await dataOf(api.POST('/batch', { body }))).results
}

/** The error of an operation; undefined if the operation succeeded. */
export function errorOf({ problem, status }: Result): unknown {
  return problem === null ? undefined : problemFrom({ ...problem }, status)
}

export interface Changed {
  /** The file before the change. */
  readonly before: FileRecord
  /** The ETag after the change: a later change of somebody else is not undone. */
  readonly etag: string
}

/** The operation that restores the state before a change. */
export function operationBack({ before, etag }: Changed): FileOperation {
  const { asset_file_id, live_version, staged_version, fileState } = before
  const { publish_at, publish_version, unpublish_at, stage_at, stage_version } = before
  const pointers = { live_version, staged_version, fileState }
  const times = { publish_at, publish_version, unpublish_at, stage_at, stage_version }
  return { op: 'set_state', asset_file_id, etag, state: { ...pointers, ...times } }
}

/** The buttons below the message that a file is live. */
export function useLiveActions(): (file: FileRecord) => readonly ToastAction[] {
  const { t } = useTexts()
  const viewing = useViewFile()
  return (file) => [
    ...(mayView(file)
      ? [{ text: t.content.viewPage, onPress: () => viewing.view(file), isLasting: true }]
      : []),
    { text: t.content.copyUrl, onPress: () => viewing.copyUrl(file), isLasting: true },
  ]
}

interface Told extends Changed {
  readonly text: string
  readonly after: FileRecord
  readonly onUndone: (file: FileRecord, etag: string) => void
}

/** Says that a version is live or staged, with buttons to view it and to undo. */
export function usePublicationToast(): (told: Told) => void {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const liveActions = useLiveActions()

  async function undo({ onUndone, ...changed }: Told): Promise<void> {
    const [result] = await runOperations(api, [operationBack(changed)])
    const error = result && errorOf(result)
    if (error !== undefined) throw error
    const { name, asset_file_id: id } = changed.before
    toast({ text: fill(t.content.undoneOne, { name }), name: subjectOf(id) })
    onUndone({ ...changed.before, ...result?.record } as FileRecord, result?.etag ?? '')
  }

  return (told) => {
    const { before, after, text } = told
    const name = subjectOf(before.asset_file_id)
    const onPress = (): void => void undo(told).catch((error) => toast.problem(error, name))
    const isLive = after.fileState === 'publish'
    const actions = [...(isLive ? liveActions(after) : []), { text: t.general.undo, onPress }]
    toast({ text, name, actions })
  }
}

/** The subject of toasts about a file. */
export function subjectOf(fileId: number): string {
  return `file ${fileId}`
}
