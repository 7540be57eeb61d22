// Tables with references for the observers with keys: visible entries refer to hidden entries and files, and hidden entries
// refer to visible ones.

import type { Step } from './differences.ts'
import type { Folders } from './observers.ts'
import type { Site } from './site.ts'

/** Tables of which the first is visible, and refers to the second. */
export interface Links {
  readonly posts: string
  readonly postsId: number
  readonly people: string
  readonly notes: string
  readonly notesId: number
  readonly hiddenFile: number
}

const HIDDEN_PEOPLE = 3

interface Made {
  readonly id: number
  readonly url: string
}

async function makeTable(site: Site, json: object): Promise<Made> {
  const { datatable_id: id, module_url: url } = await site.admin('POST', '/api/v2/datatable', {
    json,
  })
  return { id, url }
}

/** In the base site: posts in the scope, and people, notes and a file where no observer sees them. */
export async function makeLinks(
  site: Site,
  { scope, withheldLow }: Folders,
  fileIds: readonly number[],
): Promise<Links> {
  const hidden = { parent_category_id: withheldLow }
  const people = await makeTable(site, {
    name: 'People',
    table_schema: 'name C(40), rank I',
    ...hidden,
  })
  const topics = await makeTable(site, {
    name: 'Topics',
    table_schema: 'title C(40)',
    parent_category_id: scope,
  })
  const posts = await makeTable(site, {
    name: 'Posts',
    table_schema: `title C(40), by I REFERENCES datatable ${people.id}, topic I REFERENCES datatable ${topics.id}, also I REFERENCES SELF MANY, file I REFERENCES asset_file ON DELETE SET NULL`,
    parent_category_id: scope,
  })
  const notes = await makeTable(site, {
    name: 'Notes',
    table_schema: `post I REFERENCES datatable ${posts.id} ON DELETE SET NULL, text C(40)`,
    ...hidden,
  })
  const { asset_file_id: hiddenFile } = await site.admin('POST', '/api/v2/asset_file', {
    json: { name: 'hidden.txt', type: 'txt', ...hidden },
  })
  const add = (url: string, json: readonly object[]) => site.admin('POST', url, { json })
  await add(
    people.url,
    Array.from({ length: HIDDEN_PEOPLE }, (_, at) => ({ name: `p${at}` })),
  )
  await add(topics.url, [{ title: 'A' }, { title: 'B' }])
  const [file = hiddenFile] = fileIds
  await add(posts.url, [
    { title: 'P1', by: 1, topic: 1, file },
    { title: 'P2', by: 2, topic: 2, file: hiddenFile },
    { title: 'P3', topic: 1 },
  ])
  await add(posts.url, [{ title: 'P4', by: 3, also: [3, 1, 2] }])
  await add(notes.url, [{ post: 1 }, { post: 2 }, {}])
  return {
    posts: posts.url,
    postsId: posts.id,
    people: people.url,
    notes: notes.url,
    notesId: notes.id,
    hiddenFile,
  }
}

/** Gives the hidden entries other values, also other references. */
export async function hideLinks({ site, vary, word, world }: Step): Promise<void> {
  const { people, notes, hiddenFile } = world.links
  for (let id = 1; id <= HIDDEN_PEOPLE; id += 1) {
    const json = { name: word(`name of person ${id}`), rank: vary(`rank of person ${id}`, 1, 2) }
    await site.admin('POST', `${people}/${id}`, { json })
  }
  const json = { post: vary('post of a hidden note', 1, 3), text: word('text of a hidden note') }
  await site.admin('POST', `${notes}/1`, { json })
  const title = word('title of a hidden file')
  const state = vary('state of a hidden file', {}, { fileState: 'publish' })
  await site.admin('POST', `/api/v2/asset_file/${hiddenFile}`, { json: { title, ...state } })
}
