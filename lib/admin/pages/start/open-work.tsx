// Files that wait for the user: unsaved text, unpublished files, files changed since they were published, and
// scheduled files. Users who only view get the files that were published last.

import { pathOf } from '../../client/address.ts'
import { type Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { type Me, maySomewhere, ownedBy } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { editorPath, type FileRecord, searchFiles } from '../content/records.ts'
import { versionPath } from '../content/version-numbers.tsx'
import { filesWithDrafts } from '../editor/drafts.ts'

/** Files of each list. */
const MOST = 6

export function OpenWork({ me }: { readonly me: Me }) {
  const { t } = useTexts()
  const found = useOpenWork(me)
  const { data } = found
  if (data === undefined) return <Loading {...found} lines={6} />
  const { unsaved, unpublished, changed, scheduled, published } = data
  if (Object.values(data).every(({ length }) => length === 0))
    return (
      <EmptyState
        icon="check"
        title={t.start.nothing}
        action={<ButtonLink href={pathOf('/content')}>{t.start.openContent}</ButtonLink>}
      >
        {t.start.nothingText}
      </EmptyState>
    )
  return (
    <>
      <Files
        title={t.start.unsaved}
        files={unsaved}
        pathOfFile={({ asset_file_id: id }) => editorPath(id)}
      />
      <Files
        title={t.start.unpublished}
        files={unpublished}
        all="/content?state=unpublished&everywhere=1&sort=-date_modified"
      />
      <Files
        title={t.start.changed}
        files={changed}
        all="/content?state=changed&everywhere=1&sort=-date_modified"
      />
      <Files
        title={t.start.scheduled}
        files={scheduled}
        all="/scheduled"
        dateOf={(file) => nextTime(file)}
      />
      <Files
        title={t.start.published}
        files={published}
        all="/content?everywhere=1&sort=-date_modified"
        dateOf={(file) => file.date_published}
      />
    </>
  )
}

function useOpenWork(me: Me) {
  const api = useApi()
  const { user_id: userId } = me.user
  const isEditor = maySomewhere(me, 'modify')
  const seesSchedules = isEditor || maySomewhere(me, 'publish')
  return useRequest(
    async (signal) => {
      const newest = (qry: object, orderStr = 'date_modified') =>
        latest(api, { qry, orderStr, signal })
      const [unsaved, unpublished, changed, scheduled, published] = await Promise.all([
        isEditor ? unsavedFiles(api, userId, signal) : [],
        isEditor ? newest({ ...ownedBy(me.user), live_version: null }) : [],
        isEditor ? newest({ state: 'changed' }) : [],
        seesSchedules ? scheduledFiles(api, signal) : [],
        seesSchedules ? [] : newest({ live_version: { $gt: 0 } }, 'date_published'),
      ])
      return { unsaved, unpublished, changed, scheduled, published }
    },
    [userId, isEditor, seesSchedules],
  )
}

interface Latest {
  readonly qry: object
  readonly orderStr: string
  readonly signal: AbortSignal
}

async function latest(api: Api, { qry, orderStr, signal }: Latest): Promise<readonly FileRecord[]> {
  const query = { qry, orderStr, orderDir: 'DESC' as const, length: MOST }
  return (await searchFiles(api, query, signal)).rows
}

/** Files of which this browser keeps unsaved text. */
async function unsavedFiles(
  api: Api,
  userId: number,
  signal: AbortSignal,
): Promise<readonly FileRecord[]> {
  const ids = await filesWithDrafts(userId)
  if (ids.length === 0) return []
  const qry = { asset_file_id: { $in: ids.slice(0, 100) } }
  return latest(api, { qry, orderStr: 'date_modified', signal })
}

const TIMES = ['publish_at', 'unpublish_at', 'stage_at'] as const

async function scheduledFiles(api: Api, signal: AbortSignal): Promise<readonly FileRecord[]> {
  const pages = await Promise.all(
    TIMES.map((field) => {
      const query = { qry: { [field]: { $exists: true } }, orderStr: field, length: MOST }
      return searchFiles(api, query, signal)
    }),
  )
  const files = pages.flatMap(({ rows }) => rows)
  const known = new Map(files.map((file) => [file.asset_file_id, file]))
  return [...known.values()]
    .toSorted((one, other) => (nextTime(one) < nextTime(other) ? -1 : 1))
    .slice(0, MOST)
}

function nextTime(file: FileRecord): string {
  const times = TIMES.map((field) => file[field]).filter((time) => time !== null)
  return times.toSorted()[0] ?? file.date_modified
}

function folderOf({ path }: FileRecord): string {
  return path.slice(0, path.lastIndexOf('/'))
}

interface FilesProps {
  readonly title: string
  readonly files: readonly FileRecord[]
  /** The page that shows all of them. */
  readonly all?: string
  readonly dateOf?: (file: FileRecord) => string | null
  readonly pathOfFile?: (file: FileRecord) => string
}

function Files({ title, files, all, dateOf, pathOfFile }: FilesProps) {
  const { t } = useTexts()
  if (files.length === 0) return null
  return (
    <Section title={title}>
      <ul class="line-list card">
        {files.map((file) => (
          <li key={file.asset_file_id}>
            <div class="start-file">
              <Link href={pathOfFile?.(file) ?? versionPath(file.asset_file_id)}>
                <bdi>{file.name}</bdi>
              </Link>
              <span class="quiet">
                <bdi>{folderOf(file)}</bdi>
              </span>
            </div>
            <span class="quiet">
              <DateTime
                date={dateOf?.(file) ?? file.date_modified}
                isRelative={dateOf !== nextTime}
              />
            </span>
          </li>
        ))}
      </ul>
      {all !== undefined && files.length === MOST && (
        <p>
          <Link href={pathOf(all)}>{t.start.showAll}</Link>
        </p>
      )}
    </Section>
  )
}
