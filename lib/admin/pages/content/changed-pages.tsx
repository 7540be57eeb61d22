// Asks before a publish that changes other pages: pages that include the file, or that have it as their layout.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { type FileRecord, isPage } from './records.ts'

/** Limits of files whose pages are searched, and of pages that are listed. */
const MOST_FILES = 20
const MOST_FOUND = 1_000
const MOST_LISTED = 20

/** Returns whether to publish. Without an answer of the server, nothing is asked. */
export function useChangedPages() {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()

  async function find(id: number) {
    const params = { path: { id }, query: { shown: true, length: MOST_FOUND } }
    return dataOf(api.GET('/asset_file/{id}/used_on', { params })).catch(() => undefined)
  }

  return async (files: readonly FileRecord[]): Promise<boolean> => {
    const own = new Set(files.map(({ asset_file_id: id }) => id))
    const asked = files.filter(isPage).slice(0, MOST_FILES)
    const found = await Promise.all(asked.map(({ asset_file_id: id }) => find(id)))
    const all = found.flatMap((uses) => uses?.pages ?? [])
    const pages = new Map(all.map((page) => [page.asset_file_id, page.path]))
    for (const id of own) pages.delete(id)
    if (pages.size === 0) return true
    const { title, count, more, many, action } = t.content.changedPages
    const isWhole = found.every((uses) => uses?.is_complete !== false)
    const rest = pages.size - MOST_LISTED
    return confirm({
      title,
      text: (
        <>
          <p>{formats.count(count, pages.size)}</p>
          <ul class="dialog-list">
            {[...pages].slice(0, MOST_LISTED).map(([id, path]) => (
              <li key={id}>
                <bdi>{path}</bdi>
              </li>
            ))}
            {rest > 0 && <li>{formats.count(more, rest)}</li>}
          </ul>
          {!isWhole && <p>{many}</p>}
        </>
      ),
      action,
    })
  }
}
