// The dialog that publishes all files below a folder. The server first reports how many files that changes.

import type { Grant } from '../../../shared/grants.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { changedSince } from '../../client/problem.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import {
  type FileRecord,
  type FolderRecord,
  grantsIn,
  type PageOf,
  searchFiles,
  searchFolders,
} from './records.ts'

interface PublishFolderProps {
  /** From the topmost folder to this one. */
  readonly line: readonly FolderRecord[]
  readonly onClose: () => void
  /** Publishes these files. The server could publish them in one request, but such a request cannot be undone. */
  readonly onPublish: (files: readonly FileRecord[], changed?: FolderRecord) => void
  /** Asks for a time at which these files are published. */
  readonly onSchedule: (files: readonly FileRecord[], may: (grant: Grant) => boolean) => void
}

/** Files with these names are offered as the layout of the folder. */
const LAYOUT_NAMES = ['layout.html', 'layout.htm', 'layout.stml']

export function PublishFolder({ line, onClose, onPublish, onSchedule }: PublishFolderProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const grants = grantsIn(useMe(), line)
  const folder = line.at(-1) as FolderRecord
  const { asset_category_id: id } = folder
  const mayOpen = grants.has('modify') && grants.has('publish')
  const plan = useRequest(async () => {
    const params = { path: { id }, query: { dry_run: true } }
    const [counts, layout] = await Promise.all([
      dataOf(api.POST('/asset_category/{id}/publish', { params })),
      mayOpen ? findLayout(api, folder) : undefined,
    ])
    return { ...counts, layout }
  }, [id])
  const counted = (count: number): string => formats.count(t.content.held.asset_file, count)

  async function publish(expect: number, settings: SiteSettings): Promise<void> {
    const changed = await changedBelow(api, folder, expect)
    if (Object.keys(settings).length === 0) return onPublish(changed)
    onPublish(changed, await setForVisitors(api, id, settings))
  }

  async function schedule(expect: number): Promise<void> {
    onSchedule(await changedBelow(api, folder, expect), (grant) => grants.has(grant))
  }

  if (plan.data === undefined) {
    return (
      <Dialog title={t.content.publishAll.title} onClose={onClose}>
        <Loading {...plan} lines={2} />
      </Dialog>
    )
  }
  const { matched, changed, unchanged, failed_count: failedCount, layout } = plan.data
  if (changed === 0) {
    return (
      <Dialog title={t.content.publishAll.title} onClose={onClose}>
        <p>{fill(t.content.publishAll.nothing, { name: folder.name })}</p>
        {failedCount > 0 && <Refused count={failedCount} />}
        <div class="dialog-actions">
          <Button onPress={onClose}>{t.general.close}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t.content.publishAll.title} onClose={onClose}>
      <Form
        name={`publish-folder-${folder.asset_category_id}`}
        initial={{ public: false as boolean, layout: false as boolean }}
        submit={formats.count(t.content.publishAll.action, changed)}
        isForgotten
        onSubmit={(values) =>
          publish(matched, {
            ...(values.public && { public: true }),
            ...(values.layout && layout && { layout_file_id: layout.asset_file_id }),
          })
        }
        actions={
          <Button icon="clock" onPress={() => void schedule(matched).catch(toast.problem)}>
            {t.schedule.instead}
          </Button>
        }
      >
        <p>
          {fill(t.content.publishAll.text, { name: folder.name, changed: counted(changed) })}
          {unchanged > 0 && ` ${formats.count(t.content.publishAll.unchanged, unchanged)}`}
        </p>
        {failedCount > 0 && <Refused count={failedCount} />}
        {!folder.is_public && (
          <>
            <Notice kind="info">{t.publicAccess.folder.closed}</Notice>
            {mayOpen && <Checkbox name="public" label={t.publicAccess.make} />}
          </>
        )}
        {layout !== undefined && (
          <Checkbox
            name="layout"
            label={fill(t.content.publishAll.layout, { name: layout.name })}
            hint={t.content.layout.folderHint}
          />
        )}
      </Form>
    </Dialog>
  )
}

type SiteSettings = Partial<Pick<FolderRecord, 'public' | 'layout_file_id'>>

/** The question before a publish is about what visitors will see, so the folder has its settings then. A refusal restores them. */
export async function setForVisitors(
  api: Api,
  id: number,
  { public: isPublic, layout_file_id: layout }: SiteSettings,
): Promise<FolderRecord> {
  const body = {
    ...(isPublic !== undefined && { public: isPublic }),
    ...(layout !== undefined && { layout_file_id: layout }),
  }
  const answer = api.PATCH('/asset_category/{id}', { params: { path: { id } }, body })
  // Only a dry run has another answer.
  return (await dataOf(answer)) as FolderRecord
}

/** The file that the name marks as the layout of a folder without a layout of its own. */
async function findLayout(
  api: Api,
  { asset_category_id: id, layout_file_id: layout }: FolderRecord,
): Promise<FileRecord | undefined> {
  if (typeof layout === 'number') return undefined
  const qry = { parent_category_id: id, name: { $in: LAYOUT_NAMES } }
  const { rows } = await searchFiles(api, { qry, orderStr: 'name', length: LAYOUT_NAMES.length })
  return rows[0]
}

/** Files that the server will refuse, such as damaged ones. */
function Refused({ count }: { readonly count: number }) {
  const { t, formats } = useTexts()
  return <Notice kind="info">{formats.count(t.content.publishAll.refused, count)}</Notice>
}

/** Publishing would change nothing. */
function isLatestLive({ version, live_version: live, fileState }: FileRecord): boolean {
  return live === version && fileState === 'publish'
}

/** Records of one request. */
const LENGTH = 500

/** The files that a publish would change, if the folder still has the expected number of files. */
async function changedBelow(
  api: Api,
  folder: FolderRecord,
  expect: number,
): Promise<readonly FileRecord[]> {
  const files = await filesBelow(api, folder)
  if (files.length !== expect) throw changedSince()
  return files.filter((file) => !isLatestLive(file))
}

/** All files below a folder that the user sees. */
async function filesBelow(api: Api, folder: FolderRecord): Promise<readonly FileRecord[]> {
  const files: FileRecord[] = []
  let parents = [folder.asset_category_id]
  while (parents.length > 0) {
    const qry = { parent_category_id: { $in: parents } }
    const query = { qry, orderStr: 'asset_file_id', length: LENGTH }
    files.push(...(await allRows((cursor) => searchFiles(api, { ...query, cursor }))))
    const below = { qry, orderStr: 'asset_category_id', length: LENGTH }
    const folders = await allRows((cursor) => searchFolders(api, { ...below, cursor }))
    parents = folders.map(({ asset_category_id: id }) => id)
  }
  return files
}

async function allRows<R>(
  readPage: (cursor: string | undefined) => Promise<PageOf<R>>,
): Promise<readonly R[]> {
  const rows: R[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    rows.push(...page.rows)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return rows
}
