// One file: the content of a version, all versions, and the fields.

import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { pathOf, parseNumber } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { seesComments } from '../../client/comments.ts'
import { tellSiteChange } from '../../client/site-changes.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { useActions } from '../../ui/actions.tsx'
import { CommentList } from '../comments/comment-list.tsx'
import { Breadcrumb } from '../content/breadcrumb.tsx'
import { FileDetails } from '../content/file-details.tsx'
import {
  type FileRecord,
  type FolderRecord,
  grantsIn,
  readFile,
  readFolderLine,
} from '../content/records.ts'
import { versionPath, VersionNumbers } from '../content/version-numbers.tsx'
import { mayBeOnSite } from '../editor/site-preview.tsx'
import { FileButtons } from './file-buttons.tsx'
import { LinkList } from './link-list.tsx'
import { VersionList } from './version-list.tsx'
import { VersionView } from './version-view.tsx'

export function FilePage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { params } = useRoute()
  const fileId = Number(params['id'])
  const [round, setRound] = useState(0)
  const loaded = useRequest(
    async (signal) => {
      const { record, etag } = await readFile(api, fileId, signal)
      const line = await readFolderLine(api, record.parent_category_id, signal)
      const isDamaged = await hasDamage(api, record, grantsIn(me, line), signal)
      return { record, etag, line, isDamaged }
    },
    [fileId, round],
  )
  if (loaded.data === undefined || loaded.data.record.asset_file_id !== fileId) {
    return (
      <LoadingPage title={t.titles.content} isWide found={loaded}>
        <p>
          <ButtonLink href={pathOf('/content')}>{t.content.toTop}</ButtonLink>
        </p>
      </LoadingPage>
    )
  }
  return (
    <FileView
      key={fileId}
      {...loaded.data}
      round={round}
      onChange={() => {
        setRound((count) => count + 1)
        tellSiteChange()
      }}
    />
  )
}

/** Asks about the versions that the user may see. */
async function hasDamage(
  api: Api,
  { asset_file_id: id, version, live_version: live }: FileRecord,
  grants: ReadonlySet<Grant>,
  signal: AbortSignal,
): Promise<boolean> {
  const numbers = new Set([live ?? version, grants.has('modify') ? version : (live ?? version)])
  const found = await Promise.all(
    [...numbers].map((number) => {
      const params = { path: { id, version: number }, query: { fields: 'damaged' } }
      return dataOf(api.GET('/asset_file/{id}/versions/{version}', { signal, params }))
    }),
  )
  return found.some(({ damaged }) => damaged)
}

export interface FileViewProps {
  readonly record: FileRecord
  readonly etag: string
  readonly line: readonly FolderRecord[]
  /** Bytes of the latest or the live version are lost. */
  readonly isDamaged: boolean
  readonly round: number
  readonly onChange: () => void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- one page assembled from its parts
function FileView(props: FileViewProps) {
  const { record, etag, line, round, onChange } = props
  const { t } = useTexts()
  const { query, route } = useLocation()
  const grants = grantsIn(useMe(), line)
  const [part, setPart] = useState(query['part'] ?? 'versions')
  const mayRead = grants.has('modify')
  const usual = mayRead ? record.version : (record.live_version ?? record.version)
  const version = parseNumber(query['version']) ?? usual
  const against = parseNumber(query['against'])
  const show = (number: number | null, other?: number): void => {
    if (number === null) return
    const path = versionPath(record.asset_file_id, number)
    route(other === undefined ? path : `${path}&against=${other}`)
  }
  useActions([
    {
      id: 'live',
      text: t.file.toLive,
      icon: 'eye',
      keys: 'l',
      run: () => show(record.live_version),
    },
    {
      id: 'staged',
      text: t.file.toStaged,
      icon: 'eye',
      keys: 's',
      run: () => show(record.staged_version),
    },
    {
      id: 'latest',
      text: t.file.toLatest,
      icon: 'eye',
      keys: 'v',
      run: () => show(record.version),
    },
  ])

  return (
    <Page title={record.name} isWide actions={<FileButtons {...props} grants={grants} />}>
      <div class="file-line">
        <Breadcrumb line={line} leaf={record.name} />
        <span class="file-state">
          <StatusBadge file={record} isDamaged={props.isDamaged} />
          <VersionNumbers file={record} />
        </span>
      </div>
      <div class="file-page">
        <VersionView
          file={record}
          version={version}
          against={against}
          mayRead={mayRead}
          line={line}
          onShow={show}
        />
        <Tabs
          label={t.file.parts}
          shown={part}
          onShow={setPart}
          tabs={[
            {
              id: 'versions',
              text: t.file.versions,
              content: () => (
                <VersionList
                  file={record}
                  etag={etag}
                  grants={grants}
                  shown={version}
                  round={round}
                  onShow={show}
                  onChange={onChange}
                />
              ),
            },
            ...(seesComments(grants)
              ? [
                  {
                    id: 'comments',
                    text: t.comments.title,
                    content: () => (
                      <CommentList
                        target={`asset_file/${record.asset_file_id}`}
                        isAdmin={grants.has('admin')}
                      />
                    ),
                  },
                ]
              : []),
            {
              id: 'links',
              text: t.file.links.title,
              content: () => (
                <LinkList
                  file={record}
                  grants={grants}
                  shown={version}
                  isOnSite={mayBeOnSite(line)}
                  round={round}
                />
              ),
            },
            {
              id: 'details',
              text: t.file.details,
              content: () => (
                <FileDetails
                  fileId={record.asset_file_id}
                  mayChange={mayRead}
                  onChange={onChange}
                />
              ),
            },
          ]}
        />
      </div>
    </Page>
  )
}
