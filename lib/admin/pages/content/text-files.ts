// Determines which files can be edited as text, and the URL of their editor.

import { pathOf } from '../../client/address.ts'
import type { FileRecord } from './records.ts'

/** The server accepts longer texts, but browsers become slow. */
export const MOST_WRITTEN = 4 * 1024 * 1024

const TEXT = /^text\/|[/+](?:json|xml|javascript|yaml|x-yaml|toml)$/

export function isTextFile({ mime_type: type }: Pick<FileRecord, 'mime_type'>): boolean {
  return TEXT.test(type)
}

export function editorPath(fileId: number): string {
  return pathOf(`/content/file/${fileId}/edit`)
}
