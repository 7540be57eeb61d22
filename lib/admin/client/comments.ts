// The requests for comments.

import { type Api, dataOf } from './api.ts'
import type { components } from './interface.d.ts'
import { includesGrant, type Grant } from '../../shared/grants.ts'
import { MAX_COUNTED_TARGETS } from '../../shared/limits.ts'

export type CommentRecord = components['schemas']['comment']

/** As on the server (lib/config/limits.ts). */
const MOST = 500

/** Whether a user with these grants in the folder of a file or table sees and writes comments there. */
export function seesComments(grants: ReadonlySet<Grant>): boolean {
  const held = [...grants]
  const seesDrafts = (['modify', 'stage', 'publish'] as const).some((one) =>
    includesGrant(held, one),
  )
  return seesDrafts && includesGrant(held, 'view')
}

/** The comments on `asset_file/5`, `datatable/3/7` or `calendar/3/7`, oldest first. */
export async function readComments(
  api: Api,
  target: string,
  signal: AbortSignal,
): Promise<readonly CommentRecord[]> {
  const query = { qry: JSON.stringify({ target }), length: MOST }
  const { comment } = await dataOf(api.GET('/comment', { signal, params: { query } }))
  // All fields were requested.
  return comment as readonly CommentRecord[]
}

/** The numbers of open comments, for targets that have any. */
export async function readOpenComments(
  api: Api,
  targets: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const parts = Array.from({ length: Math.ceil(targets.length / MAX_COUNTED_TARGETS) }, (_, at) =>
    targets.slice(at * MAX_COUNTED_TARGETS, (at + 1) * MAX_COUNTED_TARGETS).join(),
  )
  const found = await Promise.all(
    parts.map((part) =>
      dataOf(api.GET('/comment/counts', { signal, params: { query: { targets: part } } })),
    ),
  )
  return new Map(found.flatMap(({ counts }) => counts.map(({ target, open }) => [target, open])))
}

/** The newest open comments that mention the user. */
export async function readMentions(
  api: Api,
  length: number,
  signal: AbortSignal,
): Promise<readonly CommentRecord[]> {
  return (await dataOf(api.GET('/me/mentions', { signal, params: { query: { length } } }))).comment
}

export async function changeComment(
  api: Api,
  id: number,
  body: { readonly text?: string; readonly resolved?: boolean },
): Promise<void> {
  await dataOf(api.PATCH('/comment/{id}', { params: { path: { id } }, body }))
}

/** The name as it is written in a text. */
export function mentionOf(name: string): string {
  return /\s/.test(name) ? `@"${name}"` : `@${name}`
}
