// One menu: its pages in their order, its name and folder, and its shortcode.

import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Clash } from '../../ui/clash.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { useDeletionNote } from '../../ui/delete-form.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useDeletedToast } from '../../ui/use-deleted-toast.ts'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { useBound } from '../../ui/use-form.ts'
import { useRequest } from '../../ui/use-request.ts'
import { FilePicker } from '../content/file-picker.tsx'
import {
  type FileRecord,
  type FolderRecord,
  grantsIn,
  readFolderLine,
  searchFiles,
} from '../content/records.ts'
import { versionPath } from '../content/version-numbers.tsx'
import { ReferenceList } from '../entries/reference-list.tsx'
import { type MenuRecord, menuPath, pagesOf, readMenu, textOfPages } from './menu.ts'
import { useMenuQuestion } from './menu-question.tsx'

interface ShownMenu extends Fetched<MenuRecord> {
  /** The parent folders, topmost first. */
  readonly line: readonly FolderRecord[]
}

export function MenuPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const id = Number(useRoute().params['id'])
  const found = useRequest(
    async (signal): Promise<ShownMenu> => {
      const fetched = await readMenu(api, id, signal)
      const line = await readFolderLine(api, fetched.record.parent_category_id, signal)
      return { ...fetched, line }
    },
    [id],
  )
  const { data } = found
  const up = <Link href={pathOf('/menus')}>{t.titles.menus}</Link>
  if (data === undefined) return <LoadingPage title={t.titles.menus} intro={up} found={found} />
  const grants = grantsIn(me, data.line)
  const isPublic = data.line.at(-1)?.is_public === true
  const mayChange = grants.has('modify') && (!isPublic || grants.has('publish'))
  return (
    <Page
      key={id}
      title={data.record.name}
      intro={up}
      actions={grants.has('delete') && <MenuActions menu={data.record} />}
    >
      <Notice kind="info">{isPublic ? t.menus.isPublic : t.menus.notPublic}</Notice>
      {mayChange ? (
        <MenuForm fetched={data} isPublic={isPublic} onFetched={found.reload} />
      ) : (
        <Section title={t.menus.pages}>
          <MenuPages
            ids={data.record.asset_file_ids ?? []}
            folderId={data.record.parent_category_id}
          />
        </Section>
      )}
      <Section title={t.menus.shortcode}>
        <p class="quiet">{t.menus.shortcodeHint}</p>
        <CodeLine text={`[menu group=${id}]`} label={t.menus.shortcode} />
      </Section>
    </Page>
  )
}

function MenuActions({ menu }: { readonly menu: MenuRecord }) {
  const { t } = useTexts()
  const api = useApi()
  const ask = useMenuQuestion()
  const toast = useToast()
  const deleted = useDeletedToast()
  const note = useDeletionNote()
  const { route } = useLocation()
  const { file_group_id: id, name } = menu

  async function remove(): Promise<void> {
    const title = fill(t.menus.deleteTitle, { name })
    const question = { id, title, text: `${t.menus.deleteText} ${note}`, action: t.menus.delete }
    if (!(await ask({ ...question, isDangerous: true }))) return
    await dataOf(api.DELETE('/file_group/{id}', { params: { path: { id } } }))
    route(pathOf('/menus'))
    void deleted({
      text: fill(t.menus.deleted, { name }),
      record: { object: 'file_group', id },
      onRestored: () => route(menuPath(id)),
    })
  }

  return (
    <Menu
      button={{ class: 'button button-sign', icon: 'more', label: t.menus.actions }}
      items={[
        {
          text: t.menus.delete,
          icon: 'trash',
          isDangerous: true,
          onChoose: () => void remove().catch(toast.problem),
        },
      ]}
    />
  )
}

interface MenuFormProps {
  readonly fetched: ShownMenu
  /** Visitors see the menu. */
  readonly isPublic: boolean
  readonly onFetched: () => void
}

interface MenuValues {
  readonly [name: string]: string
  readonly name: string
  readonly parent_category_id: string
  /** Identifiers separated by commas. */
  readonly asset_file_ids: string
}

function valuesOf(menu: MenuRecord): MenuValues {
  return {
    name: menu.name,
    parent_category_id: String(menu.parent_category_id),
    asset_file_ids: textOfPages(menu.asset_file_ids),
  }
}

function MenuForm({ fetched, isPublic, onFetched }: MenuFormProps) {
  const { t } = useTexts()
  const ask = useMenuQuestion()
  const api = useApi()
  const toast = useToast()
  const { file_group_id: id, parent_category_id: folderId } = fetched.record
  const edit = useEdit({
    fetched,
    valuesOf,
    read: () => readMenu(api, id),
    async send({ name, asset_file_ids: pages, parent_category_id: folder }, etag) {
      const body = {
        ...(name !== undefined && { name }),
        ...(pages !== undefined && { asset_file_ids: pagesOf(pages) }),
        ...(folder !== undefined && { parent_category_id: Number(folder) }),
      }
      const params = { path: { id }, header: { 'If-Match': etag } }
      // Only a dry run has another answer.
      return (await recordOf(
        api.PATCH('/file_group/{id}', { params, body }),
      )) as Fetched<MenuRecord>
    },
    onFetched,
    onSaved: () => toast({ text: t.general.saved, name: `menu ${id}` }),
  })
  async function save(values: MenuValues): Promise<void> {
    const before = valuesOf(fetched.record)
    const isMoved = values.parent_category_id !== before.parent_category_id
    const { asset_file_ids: pages } = before
    // The first pages of a new menu need no question.
    const isSeen = isMoved || (isPublic && pages !== '' && values.asset_file_ids !== pages)
    const question = { id, title: t.menus.changeTitle, action: t.general.save }
    // The form keeps what was typed.
    if (isSeen && !(await ask(question))) throw new InvalidFields({})
    await edit.save(values)
  }
  return (
    <Form
      name={`menu-${id}`}
      initial={valuesOf(fetched.record)}
      submit={t.general.save}
      onSubmit={save}
    >
      <Clash
        clash={edit.clash}
        fields={[
          { name: 'name', label: t.menus.name, text: String },
          { name: 'asset_file_ids', label: t.menus.pages, text: String },
        ]}
      />
      <PagesField folderId={folderId} />
      <TextInput name="name" label={t.menus.name} isRequired />
      <FolderPicker
        name="parent_category_id"
        label={t.menus.folder}
        hint={t.menus.folderHint}
        empty={t.menus.folder}
      />
    </Form>
  )
}

function PagesField({ folderId }: { readonly folderId: number }) {
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>({ name: 'asset_file_ids' }, '')
  return (
    <div class="field menu-pages">
      <p class="field-label">{t.menus.pages}</p>
      <MenuPages
        ids={pagesOf(value)}
        folderId={folderId}
        onChange={(ids) => change(textOfPages(ids))}
      />
      <p class={fault === undefined ? 'field-hint' : 'field-fault'}>{fault ?? t.menus.pagesHint}</p>
    </div>
  )
}

interface MenuPagesProps {
  readonly ids: readonly number[]
  /** The folder that the file dialog shows first. */
  readonly folderId: number
  /** Undefined if the user may not change the menu. */
  readonly onChange?: (ids: readonly number[]) => void
}

function MenuPages({ ids, folderId, onChange }: MenuPagesProps) {
  const { t } = useTexts()
  const api = useApi()
  const isNew = useLocation().query['new'] !== undefined
  const [isAdding, setIsAdding] = useState(isNew && onChange !== undefined && ids.length === 0)
  const wanted = textOfPages(ids.toSorted((left, right) => left - right))
  const files = useRequest(
    async (signal) => {
      const qry = { asset_file_id: { $in: pagesOf(wanted) } }
      const length = Math.max(1, ids.length)
      const { rows } = await searchFiles(api, { qry, orderStr: 'asset_file_id', length }, signal)
      return new Map(rows.map((file) => [file.asset_file_id, file]))
    },
    [wanted],
  )
  if (files.data === undefined) return <Loading {...files} lines={ids.length || 1} />
  const items = ids.map((id) => {
    const file = files.data?.get(id)
    const isLive = file === undefined || file.live_version !== null
    return {
      id,
      title: file === undefined ? String(id) : titleOf(file),
      href: versionPath(id),
      preview: isLive ? undefined : <StatusBadge file={file} />,
    }
  })
  return (
    <>
      {ids.length === 0 ? (
        <p class="quiet">{t.menus.noPages}</p>
      ) : (
        <ReferenceList
          label={t.menus.pages}
          items={items}
          isReadOnly={onChange === undefined}
          onChange={(next) => onChange?.(next)}
        />
      )}
      {onChange !== undefined && (
        <Button icon="plus" onPress={() => setIsAdding(true)}>
          {t.menus.add}
        </Button>
      )}
      {isAdding && (
        <FilePicker
          title={t.menus.addTitle}
          accept={null}
          isMany
          folderId={folderId}
          onClose={() => setIsAdding(false)}
          onChoose={(chosen) => {
            setIsAdding(false)
            onChange?.([...new Set([...ids, ...chosen.map(({ asset_file_id: id }) => id)])])
          }}
        />
      )}
    </>
  )
}

function titleOf({ title, name }: FileRecord): string {
  return title === null || title === '' ? name : title
}
