// The shared objects, the operations of clients, and the expected results: a file, an entry, a
// name, a folder, and a datatable, and what visitors without a key see of public objects. A state is plain data; an answer is reduced to the part that the
// state determines.

import { makeFile, makeFolder, newName } from '../../helpers/content.ts'
import { makeEntry, makeTable } from '../../helpers/modules.ts'
import type { Answer, Answering } from '../../helpers/server.ts'
import type { Random } from '../random.ts'
import type { Operation, Specification } from './checker.ts'
import { lists } from './lists.ts'
import { publicEntries, publicFile } from './public.ts'
import { references } from './references.ts'

export interface Subject {
  readonly specification: Specification<any>
  /** The next operation of a client; `known` is the memory of this client. */
  readonly next: (random: Random, known: Map<string, any>) => Action
}

export interface Action {
  readonly input: object
  readonly run: () => Promise<object>
}

export interface SubjectKind {
  readonly name: string
  /** The rows of the fault table. */
  readonly rows: string
  readonly make: (server: Answering) => Promise<Subject>
}

let texts = 0

function newText(): string {
  texts += 1
  return `text ${texts}`
}

interface FileState {
  readonly texts: readonly string[]
  readonly live: number | null
  readonly staged: number | null
  readonly isGone: boolean
}

const file: SubjectKind = {
  name: 'one file',
  rows: 'C1, C2',
  async make(server) {
    const pageContent = newText()
    const { asset_file_id: id, url } = await makeFile(server, { pageContent })
    const path = `/api/v2/asset_file/${id}`
    const initial: FileState = { texts: [pageContent], live: null, staged: null, isGone: false }
    const ask = async (method: string, address: string, json?: object): Promise<object> =>
      fileAnswer(await server.call(method, address, json === undefined ? {} : { json }))

    return {
      specification: { initial, step: stepFile },
      next(random) {
        const choice = random.below(20)
        const text = newText()
        if (choice < 5) return act('save', text, () => ask('POST', path, { pageContent: text }))
        if (choice < 7)
          return act('save and publish', text, () =>
            ask('POST', path, { pageContent: text, fileState: 'publish' }),
          )
        if (choice < 10) return act('publish', '', () => ask('GET', `${path}/publish`))
        if (choice < 12) return act('stage', '', () => ask('POST', `${path}/stage`))
        if (choice < 13) {
          const what = random.below(2) > 0 ? 'unpublish' : 'unstage'
          return act(what, '', () => ask('POST', `${path}/${what}`))
        }
        if (choice < 16) return act('read', '', () => ask('GET', path))
        if (choice < 19) return act('download', '', () => ask('GET', url))
        return random.below(3) > 0
          ? act('download stage', '', () => ask('GET', `${url}?state=stage`))
          : act('delete', '', () => ask('DELETE', path))
      },
    }
  },
}

function act(what: string, text: string, run: () => Promise<object>): Action {
  return { input: { what, text }, run }
}

function fileAnswer({ status, body, text }: Answer): object {
  if (status === 200 && body?.version === undefined) return { status, text }
  if (status !== 200) return { status, code: body?.code }
  const { version, live_version: live, staged_version: staged, pageContent } = body
  return { status, version, live, staged, pageContent }
}

function stepFile(state: FileState, { input, output }: Operation): FileState | undefined {
  if (state.isGone) return output.status === 404 && output.code === 'not-found' ? state : undefined
  if (input.what.startsWith('download')) {
    const version = input.what === 'download' ? state.live : state.staged
    const isRight =
      version === null ? output.code === 'not-published' : output.text === state.texts[version - 1]
    return isRight ? state : undefined
  }
  if (input.what === 'delete') return output.status === 204 ? { ...state, isGone: true } : undefined

  const next = afterFile(state, input)
  const { length: version } = next.texts
  const { live, staged } = next
  const isRight = output.version === version && output.live === live && output.staged === staged
  // After a change, the file may be deleted before its text is read for the answer.
  const isGone = output.pageContent === null && input.what !== 'read'
  const isText = output.pageContent === undefined || output.pageContent === next.texts.at(-1)
  return isRight && (isText || isGone) ? next : undefined
}

function afterFile(state: FileState, { what, text }: Operation['input']): FileState {
  const saved = what.startsWith('save') ? { ...state, texts: [...state.texts, text] } : state
  const latest = saved.texts.length
  if (what.endsWith('unpublish')) return { ...saved, live: null }
  if (what === 'unstage') return { ...saved, staged: saved.live }
  if (what.endsWith('publish')) return { ...saved, live: latest, staged: latest }
  return what === 'stage' ? { ...saved, staged: latest } : saved
}

interface EntryState {
  readonly a: number
  readonly b: number
  readonly etag: string
}

const entry: SubjectKind = {
  name: 'one entry under conditions',
  rows: 'E2',
  async make(server) {
    const { url } = await makeTable(server, 'a I, b I')
    const { datatable_entry_id: id } = await makeEntry(server, url, { a: 0, b: 0 })
    const path = `${url}/${id}?fields=*`
    const first = await server.call('GET', path)
    const initial: EntryState = { a: 0, b: 0, etag: revisionOf(first) }
    let value = 0

    return {
      specification: { initial, step: stepEntry },
      next(random, known) {
        value += 1
        const json = { [random.pick(['a', 'b'])]: value }
        const etag = random.below(4) > 0 ? known.get('etag') : undefined
        if (etag === undefined || random.below(3) === 0)
          return random.below(2) === 0
            ? { input: { what: 'write', json }, run: () => write(server, path, { json }) }
            : {
                input: { what: 'read' },
                async run() {
                  const answer = await server.call('GET', path)
                  known.set('etag', answer.headers.etag)
                  return entryAnswer(answer)
                },
              }
        const headers = { 'if-match': etag }
        return {
          input: { what: 'write', json, etag: revision(etag) },
          run: () => write(server, path, { json, headers }),
        }
      },
    }
  },
}

async function write(server: Answering, path: string, call: object): Promise<object> {
  return entryAnswer(await server.call('POST', path.split('?', 1)[0] ?? '', call))
}

function entryAnswer(answer: Answer): object {
  const { status, body } = answer
  return status === 200 ? { status, a: body.a, b: body.b, etag: revisionOf(answer) } : { status }
}

function revisionOf({ headers }: Answer): string {
  return revision(String(headers.etag))
}

/** The part of the ETag that is equal in all representations of a record. */
function revision(etag: string): string {
  return etag.replace(/\..*/, '')
}

function stepEntry(state: EntryState, { input, output }: Operation): EntryState | undefined {
  const isRefused = input.etag !== undefined && input.etag !== state.etag
  if (isRefused) return output.status === 412 ? state : undefined
  if (output.status !== 200) return undefined
  if (input.what === 'read')
    return isSame(state, output) && state.etag === output.etag ? state : undefined

  const next = { ...state, ...input.json, etag: output.etag }
  const isNewTag = output.etag !== state.etag
  return isNewTag && (output.a === undefined || isSame(next, output)) ? next : undefined
}

function isSame(state: EntryState, { a, b }: Operation['output']): boolean {
  return state.a === a && state.b === b
}

const name: SubjectKind = {
  name: 'one name',
  rows: 'N4',
  async make(server) {
    const json = { name: newName(), type: 'html', parent_category_id: 1 }
    const pick = async (answer: Promise<Answer>): Promise<object> => {
      const { status, body } = await answer
      return { status, id: body?.asset_file_id ?? null }
    }
    return {
      specification: { initial: { id: null as number | null }, step: stepName },
      next(random, known) {
        const id = known.get('id')
        if (id === undefined || random.below(3) === 0)
          return {
            input: { what: 'create' },
            async run() {
              const output: any = await pick(server.call('POST', '/api/v2/asset_file', { json }))
              known.set('id', output.id)
              return output
            },
          }
        const method = random.pick(['GET', 'DELETE'])
        return {
          input: { what: method, id },
          run: () => pick(server.call(method, `/api/v2/asset_file/${id}`)),
        }
      },
    }
  },
}

function stepName(state: { id: number | null }, { input, output }: Operation) {
  if (input.what !== 'create') {
    const isThere = state.id === input.id
    const expected = isThere ? (input.what === 'GET' ? 200 : 204) : 404
    if (output.status !== expected) return undefined
    return isThere && input.what === 'DELETE' ? { id: null } : state
  }
  if (state.id !== null) return output.status === 409 && output.id === state.id ? state : undefined
  return output.status === 201 ? { id: output.id as number } : undefined
}

interface HolderState {
  readonly isThere: boolean
  readonly count: number
}

const folder: SubjectKind = {
  name: 'a folder that is deleted while files are saved into it',
  rows: 'C3, C6',
  async make(server) {
    const { asset_category_id: id } = await makeFolder(server)
    const create = async (): Promise<object> => {
      const json = { name: newName(), type: 'html', parent_category_id: id }
      const { status } = await server.call('POST', '/api/v2/asset_file', { json })
      return { status }
    }
    const remove = async (): Promise<object> => {
      const { status, body } = await server.call('DELETE', `/api/v2/asset_category/${id}`)
      return { status, count: body?.counts?.asset_file }
    }
    const step = (state: HolderState, { input, output }: Operation): HolderState | undefined => {
      const { isThere, count } = state
      if (input.what === 'create' && isThere)
        return output.status === 201 ? { isThere, count: count + 1 } : undefined
      if (input.what === 'create') return output.status === 422 ? state : undefined
      if (!isThere) return output.status === 404 ? state : undefined
      if (count > 0) return output.status === 409 && output.count === count ? state : undefined
      return output.status === 204 ? { isThere: false, count } : undefined
    }
    return {
      specification: { initial: { isThere: true, count: 0 }, step },
      next: (random) =>
        random.below(2) === 0
          ? { input: { what: 'create' }, run: create }
          : { input: { what: 'remove' }, run: remove },
    }
  },
}

const table: SubjectKind = {
  name: 'a datatable that is deleted while entries are written',
  rows: 'C5',
  async make(server) {
    const { url, path } = await makeTable(server, 'a I')
    const actions: Readonly<Record<string, () => Promise<Answer>>> = {
      create: () => server.call('POST', url, { json: { a: 1 } }),
      count: () => server.call('GET', `${url}?count=exact&length=1`),
      remove: () => server.call('DELETE', path),
    }
    const step = (state: HolderState, { input, output }: Operation): HolderState | undefined => {
      const { isThere, count } = state
      if (!isThere) return output.status === 404 ? state : undefined
      if (input.what === 'create')
        return output.status === 201 ? { isThere, count: count + 1 } : undefined
      if (input.what === 'remove')
        return output.status === 204 ? { isThere: false, count } : undefined
      return output.status === 200 && output.total === count ? state : undefined
    }
    return {
      specification: { initial: { isThere: true, count: 0 }, step },
      next(random) {
        const what = random.pick([...Array(8).fill('create'), ...Array(4).fill('count'), 'remove'])
        return {
          input: { what },
          async run() {
            const answer = await actions[what]?.()
            return { status: answer?.status, total: answer?.body?.page?.total }
          },
        }
      },
    }
  },
}

export const SUBJECTS: readonly SubjectKind[] = [
  file,
  entry,
  name,
  folder,
  table,
  lists,
  references,
  publicFile,
  publicEntries,
]
