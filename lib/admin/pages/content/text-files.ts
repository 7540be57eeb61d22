// Which files are texts that can be written in the area, and where.

import { pathOf } from '../../client/address.ts'
import type { FileRecord } from './records.ts'

/** The server takes longer ones; a browser becomes slow with them. */
export const MOST_WRITTEN = 4 * 1024 * 1024

const TEXT = /^text\/|[/+](?:json|xml|javascript|yaml|x-yaml|toml)$/

export function isTextFile({ mime_type: type }: Pick<FileRecord, 'mime_type'>): boolean {
  return TEXT.test(type)
}

export function editorPath(fileId: number): string {
  return pathOf(`/content/file/${fileId}/edit`)
}
