// Files that are dragged from the list to a folder of the tree.

import type { FileRecord } from './records.ts'

/** A private media type that other programs ignore. */
const TYPE = 'application/x-cms-files'

export function dragFiles({ dataTransfer }: DragEvent, files: readonly FileRecord[]): void {
  dataTransfer?.setData(TYPE, JSON.stringify(files))
  if (dataTransfer !== null) dataTransfer.effectAllowed = 'move'
}

/** Returns undefined if the drop holds something else. */
export function draggedFiles(transfer: DataTransfer): readonly FileRecord[] | undefined {
  const text = transfer.getData(TYPE)
  return text === '' ? undefined : (JSON.parse(text) as readonly FileRecord[])
}

export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true
}
