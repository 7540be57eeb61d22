// Loads what the editor page needs: the text, the stored draft, and the editor.

import type { Api } from '../../client/api.ts'
import {
  type FolderRecord,
  isTextFile,
  MOST_WRITTEN,
  readFile,
  readFolderLine,
} from '../content/records.ts'
import { type CodeParts, loadCodeParts } from './code-language.ts'
import { type Draft, openDrafts } from './drafts.ts'
import { type Base, type Latest, NoText, readLatest, readText } from './file-text.ts'

export interface Opened {
  readonly latest: Latest
  readonly line: readonly FolderRecord[]
  readonly parts: CodeParts
  readonly draft: Draft | undefined
  /** The version the draft is based on, if it is not the latest. */
  readonly draftBase: Base | undefined
}

export interface Asked {
  readonly api: Api
  readonly id: number
  readonly userId: number
  readonly signal: AbortSignal
}

export async function openFile({ api, id, userId, signal }: Asked): Promise<Opened | 'no-text'> {
  const { record } = await readFile(api, id, signal)
  if (!isTextFile(record) || record.size > MOST_WRITTEN) return 'no-text'
  try {
    const drafts = openDrafts({ fileId: id, userId, onKept: () => undefined })
    const [latest, line, parts, found] = await Promise.all([
      readLatest(api, id, signal),
      readFolderLine(api, record.parent_category_id, signal),
      loadCodeParts(record),
      drafts.read(),
    ])
    const draft = found?.text === latest.base.text ? undefined : found
    const draftBase = await baseOf(api, { draft, latest }, signal)
    return { latest, line, parts, draft, draftBase }
  } catch (error) {
    if (error instanceof NoText) return 'no-text'
    throw error
  }
}

interface DraftOf {
  readonly draft: Draft | undefined
  readonly latest: Latest
}

async function baseOf(
  api: Api,
  { draft, latest: { record, base } }: DraftOf,
  signal: AbortSignal,
): Promise<Base | undefined> {
  if (draft === undefined || draft.version === base.version) return undefined
  const { version, etag } = draft
  const id = record.asset_file_id
  // If that version no longer exists, there is no common ancestor, and the user resolves all conflicts.
  const text = await readText(api, { id, version }, signal).catch(() => ({ ...base, text: '' }))
  return { ...text, version, etag }
}
