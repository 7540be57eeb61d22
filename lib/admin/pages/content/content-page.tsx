// The files of the site: the folder tree, and the content of the open folder.

import { useLocation, useRoute } from 'preact-iso/router'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { pathOf, parseNumber } from '../../client/address.ts'
import { useCell } from '../../client/cell.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { FolderView } from './folder-view.tsx'
import { openFolderTree, TOP } from './folder-tree.ts'
import { readFolderLine } from './records.ts'

export function ContentPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { params } = useRoute()
  const tree = useMemo(() => openFolderTree(api), [api])
  const [round, setRound] = useState(0)
  useEffect(() => void tree.load(TOP), [tree])
  const top = useCell(tree.levels).get(TOP)
  const folderId = parseNumber(params['id']) ?? top?.folders[0]?.asset_category_id

  const loaded = useRequest(
    async (signal) => (folderId === undefined ? undefined : readFolderLine(api, folderId, signal)),
    [folderId, round],
  )
  const line = loaded.data
  useEffect(() => {
    if (line !== undefined) tree.reveal(line)
  }, [line])

  const isGone = loaded.error !== undefined && !loaded.isLoading
  if (isGone) return <Gone error={loaded.error} onRetry={loaded.reload} />
  if (top?.state === 'ready' && top.folders.length === 0) {
    return (
      <Page title={t.titles.content}>
        <EmptyState icon="folder" title={t.content.noFolders}>
          {t.content.noFoldersText}
        </EmptyState>
      </Page>
    )
  }
  if (line === undefined || me === undefined) {
    return (
      <Page title={t.titles.content} isWide>
        <Skeleton lines={10} />
      </Page>
    )
  }
  return (
    <FolderView
      tree={tree}
      line={line}
      isStale={line.at(-1)?.asset_category_id !== folderId}
      onChange={() => setRound((count) => count + 1)}
      round={round}
    />
  )
}

function Gone({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTexts()
  const { route } = useLocation()
  return (
    <Page
      title={t.titles.content}
      actions={<Button onPress={() => route(pathOf('/content'))}>{t.content.toTop}</Button>}
    >
      <ProblemNotice error={error} onRetry={onRetry} />
    </Page>
  )
}
