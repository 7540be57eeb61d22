// Puts the pages of a site together for publish-to, as the server does, from what the API returns.

import { HTML, STML } from '../schema/media-type.ts'
import {
  hasShortcodes,
  isLayout,
  type MenuItem,
  type PageSources,
  composePage,
} from '../schema/page-composition.ts'
import { type PageSource, readPage } from '../schema/page-source.ts'
import { MAX_COMPOSED_BYTES, MAX_MENU_FILES } from '../shared/limits.ts'
import type { Api } from './api.ts'
import { ClientError } from './client-error.ts'
import {
  type LiveFile,
  type LiveFolder,
  mediaTypeOf,
  type ObjectHeaders,
  readLiveText,
  type RenderPage,
} from './live-files.ts'
import { findFileGroup } from './group-records.ts'
import { readVersion } from './records.ts'

interface RenderingParts {
  readonly api: Api
  readonly files: readonly LiveFile[]
  /** The public folders of the site. */
  readonly folders: readonly LiveFolder[]
  /** Every folder of the site could be read. */
  readonly isWhole: boolean
}

/** False if the object in the bucket is sure to be the page: an HTML page without layout and shortcodes is uploaded as stored. */
export function mayBeRendered(
  { folder, layoutId, hasDraft }: LiveFile,
  headers: ObjectHeaders,
  uploaded: string | undefined,
): boolean {
  const type = mediaTypeOf(headers)
  const hasLayout = hasDraft || (layoutId ?? folder.layoutId ?? 0) !== 0
  return type === STML || (type === HTML && (hasLayout || uploaded !== headers.sha256))
}

export function openRendering(parts: RenderingParts): RenderPage {
  const { api, files } = parts
  // The path of an index comes after the path of its file, which links have.
  const byId = new Map(files.toReversed().map((file) => [file.id, file]))
  const sources = openSources(parts, byId)

  async function layoutOf({ folder, ...file }: LiveFile, own: number | null) {
    const id = own ?? folder.layoutId ?? 0
    if (id === 0 || id === file.id) return undefined
    const source = await sources.find(id)
    return source !== undefined && isLayout(source) ? { fileId: id, source } : undefined
  }

  return async (file, { mediaType, readText }) => {
    if (mediaType !== HTML && mediaType !== STML) return undefined
    const text = await readText()
    if (!isPage(mediaType, text)) return undefined
    const source = readPage(mediaType, text)
    const { title, layout_file_id: own } = await readVersion(api, file.id, file.version)
    const layout = isLayout(source) ? undefined : await layoutOf(file, own)
    if (mediaType === HTML && layout === undefined && !hasShortcodes(source)) return undefined
    const { id: fileId, name } = file
    return (await composePage({ fileId, source, title, name, layout }, sources)).bytes
  }
}

function isPage(mediaType: string, text: string): boolean {
  const isHtml = mediaType === HTML && Buffer.byteLength(text) <= MAX_COMPOSED_BYTES
  return isHtml || mediaType === STML
}

function openSources(
  { api, folders, isWhole }: RenderingParts,
  byId: ReadonlyMap<number, LiveFile>,
): PageSources {
  const known = new Map<number, Promise<PageSource | undefined>>()
  const titles = new Map<number, Promise<string | null>>()
  const folderPaths = new Map(folders.map(({ id, path }) => [id, path]))

  function requireWhole(found: unknown): void {
    if (found === undefined && !isWhole)
      throw new ClientError(
        'links-unknown',
        'a folder could not be read, and the page may link to a file in it',
      )
  }

  async function read(file: LiveFile): Promise<PageSource | undefined> {
    const page = await readLiveText(api, file)
    if (page === undefined || !isPage(page.mediaType, page.text)) return undefined
    return readPage(page.mediaType, page.text)
  }

  async function itemOf(file: LiveFile): Promise<MenuItem> {
    const readTitle = (): Promise<string | null> =>
      readVersion(api, file.id, file.version).then((version) => version.title)
    const title = await remember(titles, file.id, readTitle)
    const isIndex = /^index\.(?:html|stml)$/i.test(file.name)
    return {
      fileId: file.id,
      text: title === null || title.trim() === '' ? file.name : title,
      path: encodePath(isIndex ? file.folder.path : file.folder.path + file.name),
    }
  }

  return {
    pathTo(id) {
      const file = byId.get(id)
      requireWhole(file)
      return file && encodePath(file.folder.path + file.name)
    },
    async find(id) {
      const file = byId.get(id)
      requireWhole(file)
      return file && remember(known, id, () => read(file))
    },
    async filesOf(groupId) {
      const group = await findFileGroup(api, groupId)
      if (group === undefined) return undefined
      requireWhole(folderPaths.get(group.folderId))
      if (!folderPaths.has(group.folderId)) return undefined
      const files = group.fileIds.flatMap((id) => {
        requireWhole(byId.get(id))
        return byId.get(id) ?? []
      })
      return Promise.all(files.slice(0, MAX_MENU_FILES).map(itemOf))
    },
  }
}

function remember<T>(known: Map<number, Promise<T>>, id: number, make: () => Promise<T>) {
  const made = known.get(id) ?? make()
  known.set(id, made)
  return made
}

function encodePath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`
}
