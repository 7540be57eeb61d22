// Clients without a key read a public file and the public entries of a table, while other clients publish, unpublish, and
// change what is public. After a newer state was seen or acknowledged, no older state may be returned.

import { makeFile, makeFolder } from '../../helpers/content.ts'
import { makeEntry, makeTable, queryOf } from '../../helpers/modules.ts'
import type { Answer, Answering } from '../../helpers/server.ts'
import type { Operation } from './checker.ts'
import type { SubjectKind } from './subjects.ts'

/** The site that the servers of the rig show. */
export const SITE = { origin: 'http://site.test', folder: '/Main' } as const

const VISITOR = { key: null } as const
const VISITOR_OF_SITE = { key: null, headers: { host: 'site.test' } } as const

interface FileState {
  readonly live: string | null
  readonly isPublic: boolean
}

export const publicFile: SubjectKind = {
  name: 'one public file, read without a key',
  rows: 'C1, C2',
  async make(server) {
    // A site shows nothing unless its own folder is public.
    await changed(server, '/api/v2/asset_category/1', { public: true })
    const { asset_category_id: id, name } = await makeFolder(server, { public: true })
    const file = await makeFile(server, { parent_category_id: id, fileState: 'publish' })
    const [folder, path] = [
      `/api/v2/asset_category/${id}`,
      `/api/v2/asset_file/${file.asset_file_id}`,
    ]
    const asVisitor = async (address: string, call: object): Promise<object> => {
      const { status, text } = await server.call('GET', address, call)
      return status === 200 ? { status, text } : { status }
    }
    let texts = 0
    const initial: FileState = { live: '<p>1</p>', isPublic: true }
    return {
      specification: { initial, step: stepFile },
      next(random) {
        const text = `text ${(texts += 1)}`
        const isPublic = random.below(2) === 0
        const page = { pageContent: text }
        switch (random.below(12)) {
          case 0:
            return act('save', () => changed(server, path, page))
          case 1:
          case 2:
            return act({ what: 'publish', text }, () =>
              changed(server, path, { ...page, fileState: 'publish' }),
            )
          case 3:
            return act('unpublish', () => changed(server, `${path}/unpublish`, {}))
          case 4:
            return act({ what: 'make public', isPublic }, () =>
              changed(server, folder, { public: isPublic }),
            )
          case 5:
          case 6:
          case 7:
            return act('read by number', () => asVisitor(`/file/${id}/${file.name}`, VISITOR))
          default:
            return act('read by path', () => asVisitor(`/${name}/${file.name}`, VISITOR_OF_SITE))
        }
      },
    }
  },
}

function act(what: string | object, run: () => Promise<object>) {
  return { input: typeof what === 'string' ? { what } : what, run }
}

async function changed(server: Answering, path: string, json: object): Promise<object> {
  return { status: (await server.call('POST', path, { json })).status }
}

function stepFile(state: FileState, { input, output }: Operation): FileState | undefined {
  const { live, isPublic } = state
  switch (input.what) {
    case 'read by path':
      return isSeen(output, isPublic ? live : null, 404) ? state : undefined
    case 'read by number':
      return isSeen(output, isPublic ? live : null, isPublic ? 404 : 401) ? state : undefined
  }
  if (output.status !== 200) return undefined
  if (input.what === 'publish') return { ...state, live: input.text }
  if (input.what === 'unpublish') return { ...state, live: null }
  return input.what === 'save' ? state : { ...state, isPublic: input.isPublic }
}

function isSeen(
  { status, text }: Operation['output'],
  live: string | null,
  missing: number,
): boolean {
  return live === null ? status === missing : status === 200 && text === live
}

interface EntriesState {
  readonly ranks: readonly number[]
  readonly isPublic: boolean
  /** The filter shows the entries with this rank and higher ranks. */
  readonly least: number
}

const filterOf = (least: number): object => ({ rank: { $gte: least } })

export const publicEntries: SubjectKind = {
  name: 'public entries behind a filter, read without a key',
  rows: 'C1, C2',
  async make(server) {
    const more = { public: true, public_columns: ['title'], public_filter: filterOf(2) }
    const { url, path } = await makeTable(server, 'title C(10), rank I', more)
    const ranks = [1, 2, 3]
    for (const rank of ranks) await makeEntry(server, url, { title: `entry ${rank}`, rank })
    const list = `${url}?${queryOf({ fields: '*', count: 'exact' })}`
    const initial: EntriesState = { ranks, isPublic: true, least: 2 }
    return {
      specification: { initial, step: stepEntries },
      next(random) {
        const id = 1 + random.below(ranks.length)
        const [rank, least, isPublic] = [random.below(5), random.below(5), random.below(2) === 0]
        switch (random.below(12)) {
          case 0:
          case 1:
          case 2:
            return act({ what: 'update', id, rank }, () =>
              changed(server, `${url}/${id}`, { rank }),
            )
          case 3:
            return act({ what: 'filter', least }, () =>
              changed(server, path, { public_filter: filterOf(least) }),
            )
          case 4:
            return act({ what: 'make public', isPublic }, () =>
              changed(server, path, { public: isPublic }),
            )
          case 5:
          case 6:
          case 7:
            return act({ what: 'read', id }, async () => {
              const { status } = await server.call('GET', `${url}/${id}`, VISITOR)
              return { status }
            })
          default:
            return act('list', async () => listOf(await server.call('GET', list, VISITOR)))
        }
      },
    }
  },
}

function listOf({ status, body }: Answer): object {
  const titles = body.datatable_entry?.map(({ title }: any) => title)
  return status === 200 ? { status, titles, total: body.page.total } : { status }
}

function stepEntries(state: EntriesState, { input, output }: Operation): EntriesState | undefined {
  const { ranks, isPublic, least } = state
  const { status } = output
  if (input.what === 'list' || input.what === 'read') {
    if (!isPublic) return status === 401 ? state : undefined
    if (input.what === 'read')
      return status === ((ranks[input.id - 1] ?? 0) >= least ? 200 : 404) ? state : undefined
    const titles = ranks.flatMap((rank, at) => (rank >= least ? [`entry ${at + 1}`] : []))
    const isRight = JSON.stringify(output.titles) === JSON.stringify(titles)
    return status === 200 && isRight && output.total === titles.length ? state : undefined
  }
  if (status !== 200) return undefined
  if (input.what === 'filter') return { ...state, least: input.least }
  if (input.what === 'make public') return { ...state, isPublic: input.isPublic }
  return { ...state, ranks: ranks.with(input.id - 1, input.rank) }
}
