// Puts a page together from its layout, fragments, menus and links. Templates have slots (stml-output.ts), and the sources say
// what a slot shows. What a slot cannot show is a comment, so a visitor never gets an error. The work and the size have bounds,
// because a page may be requested by anybody.

import { hash } from 'node:crypto'
import {
  MAX_COMPOSED_BYTES,
  MAX_INCLUDE_DEPTH,
  MAX_INCLUDES,
  MAX_PAGE_LINKS,
} from '../shared/limits.ts'
import type { PageSource } from './page-source.ts'
import type { SlotContent } from './page-slot.ts'
import type { PageTemplate } from './stml-output.ts'

export interface PageSources {
  /** The path of a file, percent-encoded; undefined if the site does not show the file. */
  pathTo(fileId: number): string | undefined | Promise<string | undefined>
  /** Undefined if the site shows no page with this number. */
  find(fileId: number): Promise<PageSource | undefined>
  /** The files of a group that the site shows, in order; undefined if the site has no such group. */
  filesOf(groupId: number): Promise<readonly MenuItem[] | undefined>
}

export interface MenuItem {
  readonly fileId: number
  /** Percent-encoded. */
  readonly path: string
  readonly text: string
}

export interface Asked {
  readonly fileId: number
  readonly source: PageSource
  /** The title of the version, if it has one. */
  readonly title: string | null
  /** The name of the file, which is the title of a page without a title. */
  readonly name: string
  /** The layout of the page; a file without [page_content] is none. */
  readonly layout: { readonly fileId: number; readonly source: PageSource } | undefined
}

export interface ComposedPage {
  readonly bytes: Uint8Array
  /** Changes whenever the bytes change; 64 hexadecimal digits. */
  readonly digest: string
  /** The files and groups that decide about the page, besides the page and the folders. */
  readonly fileIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
}

export function isLayout({ whole }: PageSource): boolean {
  return whole.slots.some(({ kind }) => kind === 'content')
}

/** False if the site sends an HTML file as it is stored. */
export function hasShortcodes({ whole }: PageSource): boolean {
  return whole.slots.some(
    (slot) => slot.kind !== 'head' && (slot.kind !== 'title' || slot.own === undefined),
  )
}

/** Rejects only if a source rejects. */
export async function composePage(asked: Asked, sources: PageSources): Promise<ComposedPage> {
  const composition = new Composition(asked, sources)
  const { layout, source } = asked
  const shell = layout?.source ?? source
  const isWrapped = !shell.isDocument && (layout !== undefined || source.isStml)
  if (isWrapped) await composition.addHead(shell.lang)
  await composition.add(shell.whole, {
    open: [layout?.fileId ?? asked.fileId],
    depth: 0,
    isOuter: true,
  })
  if (isWrapped) composition.addText(FOOT)
  return composition.end()
}

interface Frame {
  /** The files around this place, the outermost first. */
  readonly open: readonly number[]
  /** Fragments around this place. */
  readonly depth: number
  /** The template is the outermost file: the layout, or the page without a layout. */
  readonly isOuter: boolean
}

const HEAD = `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
`
const FOOT = '\n</body>\n</html>\n'

class Composition {
  readonly #asked: Asked
  readonly #sources: PageSources
  readonly #title: string
  readonly #parts: Uint8Array[] = []
  /** The sources of the parts. */
  readonly #marks: string[] = []
  readonly #fileIds = new Set<number>()
  readonly #groupIds = new Set<number>()
  #includes = 0
  #links = 0
  #addedBytes = 0
  #hasContent = false

  constructor(asked: Asked, sources: PageSources) {
    this.#asked = asked
    this.#sources = sources
    const { title, name, source } = asked
    const own = title === null || title.trim() === '' ? name : title
    const inHtml = source.title?.includes('[page_title') === true ? undefined : source.title
    this.#title = inHtml === undefined ? escapeHtml(own) : escapeMarks(inHtml)
    if (asked.layout !== undefined) this.#fileIds.add(asked.layout.fileId)
  }

  end(): ComposedPage {
    return {
      bytes: Buffer.concat(this.#parts),
      digest: hash('sha256', JSON.stringify(this.#marks)),
      fileIds: this.#fileIds,
      groupIds: this.#groupIds,
    }
  }

  addText(text: string): void {
    this.#parts.push(Buffer.from(text))
    this.#marks.push(text)
  }

  /** The head of a page whose outermost file has none. */
  async addHead(lang: string | undefined): Promise<void> {
    const html = lang === undefined ? '<html>' : `<html lang="${lang}">`
    this.addText(`<!DOCTYPE html>\n${html}\n${HEAD}<title>${this.#title}</title>\n`)
    await this.#addHeadParts()
    this.addText('</head>\n<body>\n')
  }

  async add(template: PageTemplate, frame: Frame): Promise<void> {
    const { bytes, slots, sha256 } = template
    this.#marks.push(sha256)
    let last = 0
    for (const { at, ...content } of slots) {
      this.#parts.push(bytes.subarray(last, at))
      await this.#fill(content, frame)
      last = at
    }
    this.#parts.push(bytes.subarray(last))
  }

  async #fill(content: SlotContent, frame: Frame): Promise<void> {
    switch (content.kind) {
      case 'link':
        return this.addText(safePath(await this.#pathTo(content.fileId)))
      case 'include':
        return this.#include(content.fileId, frame)
      case 'menu':
        return this.#addMenu(content.groupId)
      case 'content':
        return this.#addContent(frame)
      case 'title':
        return this.#addCounted(this.#titleFor(content))
      case 'head':
        return this.#endHead(frame)
      case 'root':
        return this.addText(frame.isOuter ? content.text : '')
    }
  }

  /** Without a layout, the page has its own title element. */
  #titleFor({ own }: { readonly own?: string }): string {
    return own !== undefined && this.#asked.layout === undefined ? own : this.#title
  }

  async #pathTo(fileId: number): Promise<string | undefined> {
    this.#links += 1
    if (this.#links > MAX_PAGE_LINKS) return undefined
    this.#fileIds.add(fileId)
    return this.#sources.pathTo(fileId)
  }

  async #include(fileId: number, { open, depth }: Frame): Promise<void> {
    const comment = (why: string): void => this.#addCounted(`<!-- include ${fileId}: ${why} -->`)
    if (open.includes(fileId)) return comment('the file includes itself')
    if (depth >= MAX_INCLUDE_DEPTH) return comment('nested too deep')
    if (!this.#takeInclude()) return comment('the page has too many includes')
    this.#fileIds.add(fileId)
    const source = await this.#sources.find(fileId)
    if (source === undefined) return comment('no page of this site')
    if (!this.#takeBytes(source.inside.bytes.length)) return comment('the page is too large')
    await this.add(source.inside, {
      open: [...open, fileId],
      depth: depth + 1,
      isOuter: false,
    })
  }

  #takeInclude(): boolean {
    this.#includes += 1
    return this.#includes <= MAX_INCLUDES
  }

  #takeBytes(sizeBytes: number): boolean {
    if (this.#addedBytes + sizeBytes > MAX_COMPOSED_BYTES) return false
    this.#addedBytes += sizeBytes
    return true
  }

  /** Omits the text of a page that is too large. */
  #addCounted(text: string): void {
    if (this.#takeBytes(text.length)) this.addText(text)
  }

  async #addMenu(groupId: number): Promise<void> {
    const comment = (why: string): void => this.#addCounted(`<!-- menu ${groupId}: ${why} -->`)
    if (!this.#takeInclude()) return comment('the page has too many includes')
    this.#groupIds.add(groupId)
    const items = await this.#sources.filesOf(groupId)
    if (items === undefined) return comment('no file group of this site')
    this.#addCounted(menuOf(items, this.#asked.fileId))
  }

  async #addContent({ isOuter, open }: Frame): Promise<void> {
    const { layout, source, fileId } = this.#asked
    if (layout === undefined || !isOuter || this.#hasContent)
      return this.#addCounted('<!-- shortcode page_content -->')
    this.#hasContent = true
    await this.add(source.inside, { open: [...open, fileId], depth: 0, isOuter: false })
  }

  async #endHead({ isOuter }: Frame): Promise<void> {
    const { layout } = this.#asked
    if (layout === undefined || !isOuter) return
    if (layout.source.title === undefined) this.addText(`<title>${this.#title}</title>\n`)
    await this.#addHeadParts()
  }

  /** The elements in the head of the page, except those that the layout has, too. */
  async #addHeadParts(): Promise<void> {
    const { layout, source, fileId } = this.#asked
    if (layout === undefined) return
    const { head, isDocument } = layout.source
    const known = new Set(head.filter((part) => typeof part === 'string'))
    const hasViewport = !isDocument || [...known].some((part) => VIEWPORT.test(part))
    const frame = { open: [layout.fileId, fileId], depth: 0, isOuter: false }
    for (const part of source.head) {
      if (typeof part !== 'string') await this.#fill(part, frame)
      else if (known.has(part) || CHARSET.test(part)) continue
      else if (!hasViewport || !VIEWPORT.test(part)) this.addText(`${part}\n`)
    }
  }
}

// A document has one charset and one viewport; those of the layout decide.
const CHARSET = /^<meta\s[^>]*charset\s*=/i
const VIEWPORT = /^<meta\s[^>]*name\s*=\s*["']?viewport/i

function menuOf(items: readonly MenuItem[], currentId: number): string {
  const lines = items.map(({ fileId, path, text }) => {
    const current = fileId === currentId ? ' aria-current="page"' : ''
    return `<li><a href="${safePath(path)}"${current}>${escapeHtml(text)}</a></li>`
  })
  return ['<ul>', ...lines, '</ul>'].join('\n')
}

/** Without the characters that end a quoted value or a CSS address. */
function safePath(path = ''): string {
  return path.replaceAll(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function escapeHtml(text: string): string {
  return escapeMarks(text.replaceAll('&', '&amp;'))
}

/** For a text that is HTML already: it may stand in a value with quotes. */
function escapeMarks(html: string): string {
  return html.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}
