// Comments for the observers with keys: a visible thread whose mentions are hidden, and comments on hidden targets. A hidden
// page links to visible files and shows a visible menu.

import type { Step } from './differences.ts'
import type { Folders, Observer } from './observers.ts'
import type { Site } from './site.ts'
import type { World } from './world.ts'

const PATH = '/api/v2/comment'
/** The name of a user on one of two sites. */
const MENTIONED = ['Ghost', 'Shade'] as const

export interface Remarks {
  /** The first comments of two visible threads. */
  readonly seen: readonly number[]
  /** A page and an entry that no observer sees, with comments. */
  readonly hiddenTargets: readonly string[]
}

async function write(site: Site, json: object): Promise<number> {
  return (await site.admin('POST', PATH, { json })).comment_id
}

/** In the base site. */
export async function makeRemarks(
  site: Site,
  { withheldLow }: Folders,
  { fileIds, tableId, links }: Pick<World, 'fileIds' | 'tableId' | 'links'>,
): Promise<Remarks> {
  const json = { name: 'remarks.html', type: 'html', parent_category_id: withheldLow }
  const { asset_file_id: page } = await site.admin('POST', '/api/v2/asset_file', { json })
  const target = `asset_file/${fileIds[0]}`
  const first = await write(site, { target, text: 'First.' })
  await write(site, { target, text: 'A reply.', reply_to: first })
  const ofEntry = await write(site, { target: `datatable/${tableId}/1`, text: 'On an entry.' })
  return {
    seen: [first, ofEntry],
    hiddenTargets: [`asset_file/${page}`, `datatable/${links.notesId}/2`],
  }
}

/** Both sites write the same number of comments. */
export async function hideRemarks(step: Step, observer: Observer): Promise<void> {
  const { site, vary, word, world, odd } = step
  const [page = '', entry = ''] = world.remarks.hiddenTargets
  const { name } = await site.admin('GET', `/api/v2/user/${userOf(world, observer)}`)
  const mention = vary('mention in a hidden comment', `@"${name}" `, '')
  const first = await write(site, {
    target: vary('target of a hidden comment', page, entry),
    text: mention + word('text of a hidden comment'),
    resolved: vary('a hidden comment that is resolved', false, true),
  })
  const second = await write(site, { target: page, text: word('text of a second hidden comment') })
  const reply = await write(site, {
    target: page,
    text: mention + word('text of a hidden reply'),
    reply_to: vary('thread of a hidden reply', second, null),
  })
  const gone = await write(site, { target: entry, text: 'Gone.' })
  if (vary('a deleted hidden comment', false, true)) await site.admin('DELETE', `${PATH}/${gone}`)
  odd.set('comment', [first, second, reply, gone])
  await hideUse(step, page)
  if (observer.hidden.includes('people')) await hideMentioned(step)
}

function userOf({ keys }: World, { name }: Observer): number {
  return keys.get(name)?.userId ?? 1
}

/** A comment that everybody in the scope sees mentions a hidden user on one of the sites. */
async function hideMentioned({ site, vary, world: { fileIds, remarks } }: Step): Promise<void> {
  const json = { name: vary('name of a mentioned user', ...MENTIONED) }
  await site.admin('POST', '/api/v2/user', { json })
  const target = `asset_file/${fileIds[0]}`
  const [reply_to] = remarks.seen
  await write(site, { target, text: `@${MENTIONED[0]} and a reply`, reply_to })
}

/** The hidden page uses visible files, or none. */
async function hideUse({ site, vary, world }: Step, page: string): Promise<void> {
  const { fileIds, groupId } = world
  const links = fileIds.map(
    (id) => `<a href="[get_asset_file_url id=${id}]">x</a>[include id=${id}]`,
  )
  const isUsing = vary('links of a hidden page', true, false)
  const pageContent = isUsing ? `[menu group=${groupId}]${links.join('')}` : 'none'
  const json = { pageContent, ...vary('state of a hidden page', { fileState: 'publish' }, {}) }
  await site.admin('POST', `/api/v2/${page}`, { json })
}
