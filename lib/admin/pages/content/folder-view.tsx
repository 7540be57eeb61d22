// One folder: the folder tree at the side (a drawer on narrow screens), and the files of the folder.

import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { tellSiteChange } from '../../client/site-changes.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { draggedFiles, droppedEntries, filesIn, type FoundFile } from './dropped-files.ts'
import { useFileActions } from './file-actions.tsx'
import { FileList } from './file-list.tsx'
import { queryOf, viewOf } from './file-view.ts'
import { useFolderActions } from './folder-actions.tsx'
import { FolderFinder } from './folder-finder.tsx'
import { useFolderMenu } from './folder-menu.ts'
import { useFolderList } from './folder-rows.tsx'
import type { FolderTree } from './folder-tree.ts'
import { PublicMark } from './public-mark.tsx'
import { type FolderRecord, grantsIn } from './records.ts'
import { UploadMenu } from './upload-menu.tsx'
import { useUploads } from './use-uploads.tsx'
import { WindowDrop } from './window-drop.tsx'

const OWN_ADDRESS = /\/content(?:\/\d+)?$/

export interface FolderViewProps {
  readonly tree: FolderTree
  /** From the topmost folder to the open one. */
  readonly line: readonly FolderRecord[]
  readonly isStale: boolean
  readonly round: number
  readonly onChange: () => void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- tree and list share this state
export function FolderView({ tree, line, isStale, round, onChange }: FolderViewProps) {
  const { t } = useTexts()
  const { query, route } = useLocation()
  const me = useMe()
  const toast = useToast()
  const folder = line.at(-1) as FolderRecord
  const { asset_category_id: folderId } = folder
  const grants = grantsIn(me, line)
  const [view, setView] = useState(() => viewOf(query))
  const [isTreeOpen, setIsTreeOpen] = useState(false)
  const uploads = useUploads(grants.has('publish'), grants.has('modify'))
  const changed = (): void => {
    onChange()
    tellSiteChange()
  }
  const seen = view.isEverywhere ? undefined : grants
  const files = useFileActions({ grants: seen, onChange: changed })
  const folders = useFolderActions({ tree, line, onChange: changed })
  useNewActions(grants.has('create'), (kind) => folders.open(kind, line))
  useEffect(() => {
    // The URL may already be that of the next page.
    if (isStale || !OWN_ADDRESS.test(location.pathname)) return
    history.replaceState(null, '', `${location.pathname}${queryOf(view, folders.making)}`)
  }, [view, folders.making])
  // Uploads may have created folders.
  useEffect(() => {
    if (uploads.landed === 0) return
    onChange()
    void tree.refresh([folderId]).catch(() => undefined)
  }, [uploads.landed])

  const drop = (on: FolderRecord, transfer: DataTransfer): void => {
    const moved = draggedFiles(transfer)
    if (moved !== undefined) files.moveTo(moved, on.asset_category_id)
    else
      filesIn(droppedEntries(transfer)).then(
        (found) => uploads.add(found, on.asset_category_id),
        toast.problem,
      )
  }
  const press = (key: string, on: readonly FolderRecord[]): void => {
    if (key === 'F2' && grants.has('modify')) folders.open('rename', on)
    if (key === 'Delete' && grants.has('delete')) folders.open('delete', on)
  }
  const menuOf = useFolderMenu(folders)
  const inside = useFolderList({
    tree,
    folderId,
    view,
    round,
    itemsFor: (each) => menuOf([...line, each], false),
    onKey: (key, each) => press(key, [...line, each]),
    onDrop: drop,
  })
  const upload = (found: readonly FoundFile[]): void => uploads.add(found, folderId)
  const finder = (
    <FolderFinder
      tree={tree}
      label={t.content.folders}
      chosenId={folderId}
      onChoose={({ asset_category_id: id }) => {
        setIsTreeOpen(false)
        route(pathOf(`/content/${id}`))
      }}
      onKey={(key, on) => press(key, [on])}
      onDrop={drop}
    />
  )
  const items = menuOf(line, true)
  const first = (
    <EmptyState
      icon="upload"
      title={t.content.emptyFolder}
      action={
        grants.has('create') && (
          <Button icon="plus" onPress={() => folders.open('new-file', line)}>
            {t.acts.newFile}
          </Button>
        )
      }
    >
      {grants.has('create') ? t.content.emptyFolderText : t.content.emptyFolderView}
    </EmptyState>
  )

  return (
    <Page
      title={folder.name}
      mark={<PublicMark isPublic={folder.is_public} />}
      isWide
      actions={
        <>
          <span class="tree-button">
            <Button icon="folder" onPress={() => setIsTreeOpen(true)}>
              {t.content.folders}
            </Button>
          </span>
          {items.length > 0 && (
            <Menu
              button={{ class: 'button button-sign', icon: 'more', label: t.content.folderActions }}
              items={items}
            />
          )}
          {grants.has('create') && (
            <>
              <NewMenu open={(kind) => folders.open(kind, line)} />
              <UploadMenu uploads={uploads} mayPublish={grants.has('publish')} onFiles={upload} />
            </>
          )}
        </>
      }
    >
      <div class="content-view">
        <SplitView
          name="content"
          initial={24}
          first={
            <section class="tree-side" aria-label={t.content.folders}>
              {finder}
            </section>
          }
          second={
            <div class="drop-zone">
              <Breadcrumb line={line} />
              <FileList
                folderId={folderId}
                folders={inside}
                grants={grants}
                round={round}
                actions={files}
                view={view}
                onView={setView}
                first={first}
              />
            </div>
          }
        />
      </div>
      {isTreeOpen && (
        <Drawer
          label={t.content.folders}
          close={t.general.close}
          onClose={() => setIsTreeOpen(false)}
        >
          <div class="tree-drawer">{finder}</div>
        </Drawer>
      )}
      {grants.has('create') && (
        <WindowDrop name={folder.name} onFiles={upload} onFailure={toast.problem} />
      )}
      {files.view}
      {folders.view}
    </Page>
  )
}

type NewKind = 'new-file' | 'new-folder'

/** Runs create actions of the palette, which opens this page with a URL parameter. */
function useNewActions(mayCreate: boolean, open: (kind: NewKind) => void): void {
  const { t } = useTexts()
  const { query } = useLocation()
  const asked = query['new']
  useEffect(() => {
    if (mayCreate && (asked === 'file' || asked === 'folder')) open(`new-${asked}`)
  }, [asked])
  const make = (id: NewKind, text: string, icon: 'file' | 'folder') => ({
    id,
    text,
    icon,
    run: () => open(id),
  })
  useActions(
    mayCreate
      ? [make('new-file', t.acts.newFile, 'file'), make('new-folder', t.acts.newFolder, 'folder')]
      : [],
  )
}

function NewMenu({ open }: { readonly open: (kind: NewKind) => void }) {
  const { t } = useTexts()
  const content = (
    <>
      <Icon name="plus" />
      <span>{t.content.new}</span>
    </>
  )
  return (
    <Menu
      button={{ class: 'button', content }}
      items={[
        { text: t.acts.newFile, icon: 'file', onChoose: () => open('new-file') },
        { text: t.acts.newFolder, icon: 'folder', onChoose: () => open('new-folder') },
      ]}
    />
  )
}
