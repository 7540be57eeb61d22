// The menus of the websites.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { maySomewhere, ROOT_FOLDER } from '../../client/me.ts'
import { findNames, type Names, nameKey } from '../../client/record-names.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery, Pagination, useCursors } from '../../ui/pagination.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { type MenuRecord, menuPath } from './menu.ts'

export function MenusPage() {
  const { t, formats } = useTexts()
  const api = useApi()
  const me = useMe()
  const pages = useCursors()
  const { cursor } = pages
  const [isMaking, setIsMaking] = useState(false)
  const found = useRequest((signal) => searchMenus(api, cursor, signal), [cursor])
  const { data } = found
  const make = (): void => setIsMaking(true)
  const mayMake = me !== undefined && maySomewhere(me, 'create')
  useActions(mayMake ? [{ id: 'new-menu', text: t.menus.new, icon: 'plus', run: make }] : [])
  const isEmpty = data?.menus.length === 0 && !pages.hasPrevious
  const newButton = mayMake && (
    <Button kind="primary" icon="plus" onPress={make}>
      {t.menus.new}
    </Button>
  )

  return (
    <Page title={t.titles.menus} intro={t.menus.intro} actions={!isEmpty && newButton} isWide>
      <Loading {...found} lines={4} />
      {isEmpty && (
        <EmptyState icon="list" title={t.menus.empty} action={newButton}>
          {t.menus.emptyText}
        </EmptyState>
      )}
      {data !== undefined && !isEmpty && (
        <>
          <Table
            label={t.titles.menus}
            rows={data.menus}
            columns={columnsIn(t, data.names)}
            keyOf={(menu) => menu.file_group_id}
            nameOf={({ name }) => name}
            isStale={found.isLoading}
          />
          <Pagination pages={pages} next={data.next}>
            {data.total !== undefined && formats.count(t.general.total, data.total)}
          </Pagination>
        </>
      )}
      {isMaking && <NewMenu isFirst={isEmpty} onClose={() => setIsMaking(false)} />}
    </Page>
  )
}

async function searchMenus(api: Api, cursor: string | undefined, signal: AbortSignal) {
  const query = pageQuery({ sort: { by: 'name', isDown: false }, cursor })
  const { file_group: rows, page } = await dataOf(
    api.GET('/file_group', { signal, params: { query } }),
  )
  // Without `fields`, the response has all fields.
  const menus = rows as readonly MenuRecord[]
  const folders = menus.map(({ parent_category_id: id }) => folderOf(id))
  const names = await findNames(api, folders, signal)
  return { menus, names, next: page.next, total: page.total ?? undefined }
}

function folderOf(id: number) {
  return { object: 'asset_category', object_id: id }
}

function columnsIn(t: Speech['t'], names: Names): readonly Column<MenuRecord>[] {
  return [
    {
      id: 'name',
      head: t.menus.name,
      cell: ({ file_group_id: id, name }) => (
        <Link href={menuPath(id)}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'count',
      head: t.menus.count,
      cell: ({ asset_file_ids: ids }) => ids?.length ?? 0,
      isNumber: true,
    },
    {
      id: 'folder',
      head: t.menus.folder,
      cell: ({ parent_category_id: id }) => <bdi>{names.get(nameKey(folderOf(id)) ?? '')}</bdi>,
    },
    {
      id: 'date_modified',
      head: t.content.modified,
      cell: ({ date_modified: date }) => <DateTime date={date} isRelative />,
    },
  ]
}

/** The folder of the only website, where a menu belongs, or else the root folder. */
function useUsualFolder(): number {
  const [first, second] = useMe()?.site ?? []
  return (second === undefined ? first?.asset_category_id : undefined) ?? ROOT_FOLDER
}

interface NewMenuProps {
  readonly isFirst: boolean
  readonly onClose: () => void
}

/** The page of a new menu opens with the dialog that chooses its pages. */
function NewMenu({ isFirst, onClose }: NewMenuProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { route } = useLocation()
  const usual = useUsualFolder()
  return (
    <Dialog title={t.menus.new} onClose={onClose}>
      <Form
        name="new-menu"
        initial={{ name: isFirst ? t.menus.firstName : '', parent_category_id: String(usual) }}
        submit={t.menus.create}
        onSubmit={async ({ name, parent_category_id: folder }, { once }) => {
          const body = { name, parent_category_id: Number(folder || ROOT_FOLDER) }
          const params = { header: once(body) }
          const made = await dataOf(api.POST('/file_group', { params, body }))
          // The request was not a list.
          if (!('file_group_id' in made)) return
          toast({ text: fill(t.menus.created, { name }) })
          route(`${menuPath(made.file_group_id)}?new=`)
        }}
      >
        <TextInput name="name" label={t.menus.name} isRequired isFocused />
        <FolderPicker
          name="parent_category_id"
          label={t.menus.folder}
          hint={t.menus.folderHint}
          empty={t.menus.folder}
        />
      </Form>
    </Dialog>
  )
}
