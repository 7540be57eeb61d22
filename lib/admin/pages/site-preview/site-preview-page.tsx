// A file as a page of its own: on its site with everything staged, or, without a site, in the sandboxed preview. With ?live, the
// sandboxed preview shows the live version.

import { useLocation, useRoute } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { hasSites } from '../../client/site-changes.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import {
  type FileRecord,
  type FolderRecord,
  grantsIn,
  isTextFile,
  MOST_WRITTEN,
  readFile,
  readFolderLine,
} from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'
import { languageOf, loadToPage } from '../editor/code-language.ts'
import { canPreview, Preview } from '../editor/preview.tsx'
import { SitePreview } from '../editor/site-preview.tsx'
import { VersionContent } from '../file/version-view.tsx'

export function SitePreviewPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { params } = useRoute()
  const { query } = useLocation()
  const fileId = Number(params['id'])
  const { data, error, reload } = useRequest(
    async (signal) => {
      const { record } = await readFile(api, fileId, signal)
      return { record, line: await readFolderLine(api, record.parent_category_id, signal) }
    },
    [fileId],
  )
  const isSmall = matchMedia('(max-width: 48rem)').matches
  if (data === undefined)
    return <LoadingPage title={t.titles.content} isWide found={{ error, reload }} />
  const { record, line } = data
  const isLive = query['live'] !== undefined
  const version = isLive ? record.live_version : (record.staged_version ?? record.live_version)
  const alone =
    version === null ? (
      <Notice kind="info">{t.editor.site.notStaged}</Notice>
    ) : (
      <Sandboxed
        file={record}
        line={line}
        version={version}
        mayRead={grantsIn(me, line).has('modify')}
      />
    )
  return (
    <Page
      title={record.name}
      isWide
      actions={
        <ButtonLink href={pathOf(`/content/file/${fileId}`)} icon="file">
          {t.editor.toFile}
        </ButtonLink>
      }
    >
      {isLive || !hasSites() ? (
        alone
      ) : (
        <SitePreview
          key={fileId}
          fileId={fileId}
          initialWidth={isSmall ? 'phone' : 'desktop'}
          instead={version === null ? undefined : alone}
        />
      )}
    </Page>
  )
}

interface SandboxedProps {
  readonly file: FileRecord
  readonly line: readonly FolderRecord[]
  readonly version: number
  readonly mayRead: boolean
}

function Sandboxed(props: SandboxedProps) {
  const { file, version } = props
  const language = languageOf(file)
  const isPage = isTextFile(file) && file.size <= MOST_WRITTEN && canPreview(language, file)
  const isReadable = props.mayRead || version === file.live_version
  return isPage && isReadable ? <SandboxedPage {...props} /> : <VersionContent {...props} />
}

function SandboxedPage({ file, line, version, mayRead }: SandboxedProps) {
  const api = useApi()
  const language = languageOf(file)
  const loaded = useRequest(
    async (signal) => {
      const bytes = await readBytes(api, { file, version, mayRead }, signal)
      return { text: await bytes.text(), toPage: await loadToPage(language) }
    },
    [file.asset_file_id, version],
  )
  if (loaded.data === undefined) return <Loading {...loaded} lines={8} />
  const { text, toPage } = loaded.data
  return <Preview file={file} line={line} parts={{ language, toPage }} text={text} />
}
