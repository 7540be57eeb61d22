// Files of the list that are on their way to a folder of the tree.

import type { FileRecord } from './records.ts'

/** Nothing outside of this area knows what to do with it. */
const TYPE = 'application/x-cms-files'

export function dragFiles({ dataTransfer }: DragEvent, files: readonly FileRecord[]): void {
  dataTransfer?.setData(TYPE, JSON.stringify(files))
  if (dataTransfer !== null) dataTransfer.effectAllowed = 'move'
}

/** Undefined: something else was dropped. */
export function draggedFiles(transfer: DataTransfer): readonly FileRecord[] | undefined {
  const text = transfer.getData(TYPE)
  return text === '' ? undefined : (JSON.parse(text) as readonly FileRecord[])
}

export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true
}
