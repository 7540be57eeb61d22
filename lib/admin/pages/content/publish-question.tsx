// Asks before a publish that visitors would notice: addresses that lead nowhere, and other pages that change, because they include
// the file or have it as their layout. The lists and the editor ask the same question.

import { MAX_CHECKED_FILES } from '../../../shared/limits.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import type { Texts } from '../../texts/translation.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type FileRecord, isPage } from './records.ts'

/** Files whose showing pages are found, and pages that are found. */
const MOST_FILES = 20
const MOST_FOUND = 1_000
/** Requests for the addresses of files. */
const MOST_CHECKS = 4
/** Lines of each list. */
const MOST_LISTED = 10
/** Addresses of one file in a list. */
const MOST_ADDRESSES = 3

/** Types of files with addresses. */
const LINKED: ReadonlySet<string> = new Set('html htm xhtml stml svg md markdown css'.split(' '))

export interface FoundLink {
  readonly address: string
  readonly reason: 'missing' | 'unpublished' | 'private'
  /** The file at the address; null if there is none. */
  readonly asset_file_id: number | null
}

export function deadLinkText({ address, reason }: FoundLink, t: Texts): string {
  const { noMenu, [reason]: text } = t.content.deadLinks
  const [, id] = /^file_group:(\d+)$/.exec(address) ?? []
  if (id !== undefined && reason === 'missing') return fill(noMenu, { id })
  return fill(text, { address: nameOf(address, t) })
}

/** A shortcode names a file or a menu by its number. */
function nameOf(address: string, t: Texts): string {
  const [, object, id] = /^(asset_file|file_group):(\d+)$/.exec(address) ?? []
  const { file, menu } = t.content.deadLinks
  return id === undefined ? address : fill(object === 'file_group' ? menu : file, { id })
}

interface DeadFile {
  readonly name: string
  readonly links: readonly FoundLink[]
}

interface Found<T> {
  readonly all: readonly T[]
  readonly isWhole: boolean
}

/** `findTyped` finds the dead addresses in an unsaved text of the only file. Without an answer of the server, nothing is asked. */
export function usePublishQuestion() {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()

  function linesOf(dead: readonly DeadFile[], isOneFile: boolean): readonly string[] {
    if (isOneFile) return dead.flatMap(({ links }) => links.map((link) => deadLinkText(link, t)))
    return dead.map(({ name, links }) => {
      const addresses = [...new Set(links.map(({ address }) => nameOf(address, t)))]
      const rest = addresses.length - MOST_ADDRESSES
      const more = rest > 0 ? [formats.count(t.content.deadLinks.more, rest)] : []
      return `${name}: ${[...addresses.slice(0, MOST_ADDRESSES), ...more].join(', ')}`
    })
  }

  return async (
    files: readonly FileRecord[],
    findTyped?: () => Promise<readonly FoundLink[]>,
  ): Promise<boolean> => {
    const [dead, changed] = await Promise.all([
      findTyped === undefined
        ? findDead(api, files)
        : findTyped().then(
            (links) => asOnly(links, files),
            () => NOTHING,
          ),
      findChanged(api, files),
    ])
    const { deadLinks, changedPages } = t.content
    const isOneFile = files.length === 1
    const lines = [...new Set(linesOf(dead.all, isOneFile))]
    if (lines.length === 0 && changed.all.length === 0) return true
    const found = isOneFile ? deadLinks.found : deadLinks.pages
    return confirm({
      title: lines.length > 0 ? deadLinks.title : changedPages.title,
      text: (
        <>
          {lines.length > 0 && (
            <>
              <p>{formats.count(found, lines.length)}</p>
              <QuestionList lines={lines} more={deadLinks.more} />
              {!dead.isWhole && <p>{deadLinks.many}</p>}
            </>
          )}
          {changed.all.length > 0 && (
            <>
              <p>{formats.count(changedPages.count, changed.all.length)}</p>
              <QuestionList lines={changed.all} more={changedPages.more} />
              {!changed.isWhole && <p>{changedPages.many}</p>}
            </>
          )}
        </>
      ),
      action: lines.length > 0 ? deadLinks.anyway : changedPages.action,
    })
  }
}

interface QuestionListProps {
  readonly lines: readonly string[]
  readonly more: Texts['content']['deadLinks']['more']
}

/** The first lines, and the number of the others. */
export function QuestionList({ lines, more }: QuestionListProps) {
  const { formats } = useTexts()
  const rest = lines.length - MOST_LISTED
  return (
    <ul class="dialog-list">
      {lines.slice(0, MOST_LISTED).map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
      {rest > 0 && <li>{formats.count(more, rest)}</li>}
    </ul>
  )
}

const NOTHING: Found<never> = { all: [], isWhole: true }

function asOnly(links: readonly FoundLink[], files: readonly FileRecord[]): Found<DeadFile> {
  return { all: withoutLive([{ name: '', links }], files), isWhole: true }
}

/** The addresses of the latest versions that lead nowhere. The other files, such as pictures, are sent with the pages. */
async function findDead(api: Api, files: readonly FileRecord[]): Promise<Found<DeadFile>> {
  const isLinked = ({ type }: FileRecord): boolean => LINKED.has(type.toLowerCase())
  const pages = files.filter(isLinked)
  const sent = [...pages, ...files.filter((file) => !isLinked(file))]
  const end = Math.min(pages.length, MOST_CHECKS * MAX_CHECKED_FILES)
  const all: DeadFile[] = []
  let isWhole = end === pages.length
  for (let at = 0; at < end; at += MAX_CHECKED_FILES) {
    const ids = sent.slice(at, at + MAX_CHECKED_FILES).map(({ asset_file_id: id }) => id)
    const body = { asset_file_ids: ids }
    const found = await dataOf(api.POST('/links/check_files', { body })).catch(() => undefined)
    all.push(...(found?.files ?? []))
    isWhole &&= found?.is_complete !== false
  }
  return { all: withoutLive(all, files), isWhole }
}

/** An address that leads to one of the files works once all of them are published. A request may know only some of them. */
function withoutLive(dead: readonly DeadFile[], files: readonly FileRecord[]): readonly DeadFile[] {
  const published = new Set(files.map(({ asset_file_id: id }) => id))
  const isDead = ({ reason, asset_file_id: id }: FoundLink): boolean =>
    reason !== 'unpublished' || id === null || !published.has(id)
  return dead
    .map(({ name, links }) => ({ name, links: links.filter(isDead) }))
    .filter(({ links }) => links.length > 0)
}

/** The paths of the live pages that show one of the files, without the files themselves. */
async function findChanged(api: Api, files: readonly FileRecord[]): Promise<Found<string>> {
  const asked = files.filter(isPage).slice(0, MOST_FILES)
  const found = await Promise.all(
    asked.map(({ asset_file_id: id }) => {
      const params = { path: { id }, query: { shown: true, length: MOST_FOUND } }
      return dataOf(api.GET('/asset_file/{id}/used_on', { params })).catch(() => undefined)
    }),
  )
  const all = found.flatMap((uses) => uses?.pages ?? [])
  const pages = new Map(all.map((page) => [page.asset_file_id, page.path]))
  for (const { asset_file_id: id } of files) pages.delete(id)
  return {
    all: [...pages.values()].toSorted(),
    isWhole: found.every((uses) => uses?.is_complete !== false),
  }
}
