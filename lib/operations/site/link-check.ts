// Says which addresses of a text lead nowhere, before the text is saved. Nothing is stored, and no other host is asked. The answer
// depends only on what the caller may see and on what is public.

import { requireGrant } from '../../auth/grants.ts'
import type { Site } from '../../config/flag-values.ts'
import { refuseField } from '../../schema/check.ts'
import { linkSyntaxOf, type PageLink, type PageLinks } from '../../schema/page-links.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import { MAX_DEAD_LINKS } from '../../shared/limits.ts'
import type { Context } from '../context.ts'
import { readLinks } from '../files/read-links.ts'
import { requireTextSize } from '../files/page-bytes.ts'
import { requireFolder } from '../requirements.ts'
import { type LinkTarget, openLinkTargets } from './link-targets.ts'

export interface LinkText {
  readonly text: string
  readonly type: string
  /** The folder of the page. */
  readonly folderId: number
}

/**
 * missing: no file is there that the caller may see. unpublished: the file has no live version under this address. private: the page is in a
 * public folder, and the file or menu is not.
 */
export const LINK_REASONS = ['missing', 'unpublished', 'private'] as const

export interface DeadLink {
  readonly address: string
  /** From 0, in UTF-16 code units. */
  readonly offset: number
  readonly length: number
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly reason: (typeof LINK_REASONS)[number]
  /** The file at the address; null if there is none. */
  readonly asset_file_id: number | null
}

interface LinkCheck {
  readonly links: readonly DeadLink[]
  /** False if the text has more addresses than are checked, or more dead ones than are listed. */
  readonly is_complete: boolean
}

export async function checkLinks(
  context: Context,
  sites: readonly Site[],
  { text, type, folderId }: LinkText,
): Promise<LinkCheck> {
  const { records, caller } = context
  requireFolder(records, caller, folderId)
  requireGrant(records, caller, 'view', folderId)
  requireTextSize(context, text)
  const syntax = linkSyntaxOf(type)
  if (syntax === undefined) refuseField('type', 'must be html, stml, svg, md or css')
  const found = await readLinks(context, { text, syntax })
  const reasons = await findReasons(context, sites, { found, folderId })
  const dead = found.links.filter(({ address }) => reasons.has(address))
  const shown = dead.slice(0, MAX_DEAD_LINKS)
  const isComplete = !found.isCut && shown.length === dead.length
  return { links: placed(text, shown, reasons), is_complete: isComplete }
}

export type Reason = Pick<DeadLink, 'reason' | 'asset_file_id'>

interface FoundLinks {
  readonly found: PageLinks
  readonly folderId: number
}

/** The addresses that lead nowhere. Each one is looked up once, in time slices. */
async function findReasons(
  context: Context,
  sites: readonly Site[],
  { found, folderId }: FoundLinks,
): Promise<ReadonlyMap<string, Reason>> {
  const targets = openLinkTargets(context, sites)
  const isPublic = targets.isPublic(folderId)
  const reasons = new Map<string, Reason>()
  const slice = openTimeSlice()
  for (const address of new Set(found.links.map((link) => link.address))) {
    if (slice.isOver(0)) await slice.next()
    const reason = reasonOf(targets.find(folderId, address), isPublic)
    if (reason !== undefined) reasons.set(address, reason)
  }
  return reasons
}

export function reasonOf(target: LinkTarget, isPublic: boolean): Reason | undefined {
  if (target.kind === 'none') return { reason: 'missing', asset_file_id: null }
  if (target.kind === 'group' && isPublic && !target.isPublic)
    return { reason: 'private', asset_file_id: null }
  if (target.kind !== 'file') return undefined
  const { asset_file_id } = target.file
  if (!target.isLive) return { reason: 'unpublished', asset_file_id }
  return isPublic && !target.isPublic ? { reason: 'private', asset_file_id } : undefined
}

/** Counts the lines once; the links are in the order of the text. */
function placed(
  text: string,
  links: readonly PageLink[],
  reasons: ReadonlyMap<string, Reason>,
): readonly DeadLink[] {
  let line = 1
  let start = 0
  let next = text.indexOf('\n')
  return links.flatMap(({ address, start: offset, end }) => {
    const reason = reasons.get(address)
    if (reason === undefined) return []
    for (; next !== -1 && next < offset; next = text.indexOf('\n', start)) {
      line += 1
      start = next + 1
    }
    const place = { offset, length: end - offset, line, column: offset - start + 1 }
    return [{ address, ...place, ...reason }]
  })
}
