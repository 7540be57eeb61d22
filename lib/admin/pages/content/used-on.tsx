// Where a file is used: pages that lead to it, groups that list it and entries that refer to it.

import { type Api, dataOf } from '../../client/api.ts'
import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FileRecord } from './records.ts'
import { versionPath } from './version-numbers.tsx'

/** Pages in the list. */
const MOST_SHOWN = 50

async function readUses(api: Api, id: number, signal?: AbortSignal) {
  const params = { path: { id }, query: { length: MOST_SHOWN } }
  return dataOf(api.GET('/asset_file/{id}/used_on', { ...(signal && { signal }), params }))
}

type Uses = Awaited<ReturnType<typeof readUses>>

export function UsedOn({ fileId }: { readonly fileId: number }) {
  const { t } = useTexts()
  const api = useApi()
  const loaded = useRequest((signal) => readUses(api, fileId, signal), [fileId])
  return (
    <section class="used-on" aria-label={t.content.usedOn.title}>
      <p class="field-label">{t.content.usedOn.title}</p>
      {loaded.data === undefined ? (
        <Loading {...loaded} lines={2} />
      ) : (
        <UseList uses={loaded.data} />
      )}
    </section>
  )
}

function UseList({ uses }: { readonly uses: Uses }) {
  const { t } = useTexts()
  const { pages, file_groups: groups, entries, next, is_complete: isComplete } = uses
  const count = pages.length + groups.length + entries.length
  if (count === 0) return <p class="field-hint">{t.content.usedOn.none}</p>
  return (
    <>
      <ul class="uses">
        {pages.map(({ asset_file_id: id, path, in_live: isLive }) => (
          <li key={id}>
            <Link href={versionPath(id)}>
              <bdi>{path}</bdi>
            </Link>
            {!isLive && <span class="field-hint">{t.content.usedOn.draft}</span>}
          </li>
        ))}
        {groups.map(({ file_group_id: id, name }) => (
          <li key={`group ${id}`}>
            <Link href={pathOf(`/menus/${id}`)}>
              <bdi>{name}</bdi>
            </Link>
            <span class="field-hint">{t.content.usedOn.group}</span>
          </li>
        ))}
        {entries.map((entry) => (
          <li key={`${entry.object} ${entry.module_id} ${entry.entry_id} ${entry.column}`}>
            <Link href={entryPath(entry)}>
              <bdi>{entry.module_name}</bdi> {entry.entry_id}
            </Link>
            <span class="field-hint">
              <bdi>{entry.column}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {(next !== null || !isComplete) && <p class="field-hint">{t.content.usedOn.more}</p>}
    </>
  )
}

function entryPath({ object, module_id: id, entry_id: entry }: Uses['entries'][number]): string {
  return pathOf(object === 'datatable' ? `/data/${id}/${entry}` : `/calendars/${id}`)
}

/** Files whose uses are counted before an action. */
const MOST_COUNTED = 20

/** Counts what uses the files, without the files themselves, for a question before an action. */
export function useUseCount() {
  const { t, formats } = useTexts()
  const api = useApi()
  /** `text` is a sentence, and empty if no use is known. `isUnused` is false if the server does not know or say all uses. */
  return async (
    files: readonly FileRecord[],
  ): Promise<{ readonly text: string; readonly isUnused: boolean }> => {
    const own = new Set(files.map(({ asset_file_id: id }) => id))
    const counted = [...own].slice(0, MOST_COUNTED)
    const found = await Promise.all(counted.map((id) => readUses(api, id).catch(() => undefined)))
    const uses = new Set<string>()
    for (const each of found) {
      for (const { asset_file_id: id } of each?.pages ?? [])
        if (!own.has(id)) uses.add(`page ${id}`)
      for (const { file_group_id: id } of each?.file_groups ?? []) uses.add(`group ${id}`)
      for (const { object, module_id: module, entry_id: id } of each?.entries ?? [])
        uses.add(`${object} ${module} ${id}`)
    }
    const isWhole = own.size <= MOST_COUNTED && found.every((each) => each?.is_complete === true)
    return {
      text: uses.size === 0 ? '' : formats.count(t.content.usedOn.count, uses.size),
      isUnused: isWhole && uses.size === 0,
    }
  }
}

/** Tells what a move of the files means for the pages that use them. */
export function MoveNote({ files }: { readonly files: readonly FileRecord[] }) {
  const { t } = useTexts()
  const count = useUseCount()
  const ids = files.map(({ asset_file_id: id }) => id).join()
  const { data } = useRequest(() => count(files), [ids])
  const used = data?.text ?? ''
  return (
    <p class="field-hint" role="status">
      {used === '' ? '' : `${used} ${t.content.usedOn.moveText}`}
    </p>
  )
}
