// The roles of the site: own roles can be created, edited and deleted; fixed roles are shown for comparison.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { type Grant, GRANTS, ROLE_NAMES, ROLES } from '../../../shared/grants.ts'
import { pathOf } from '../../client/address.ts'
import { dataOf, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { mayEverywhere } from '../../client/me.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useBound } from '../../ui/use-form.ts'
import { GrantBoxes } from '../keys/key-fields.tsx'
import { grantsOf, textOfGrants } from '../keys/key.ts'
import { grantNames, type OwnRole, useOwnRoles } from './roles.ts'
import { UserTabs } from './user-tabs.tsx'

/** A role of the site, or a fixed role. */
interface Row {
  /** Negative for a fixed role. */
  readonly id: number
  readonly name: string
  readonly description: string
  readonly grants: readonly Grant[]
  /** The value of the filter of the list of users. */
  readonly filter: string
  readonly own?: OwnRole
}

export function RolesPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const toast = useToast()
  const { data, error, reload } = useOwnRoles()
  const [edited, setEdited] = useState<Fetched<OwnRole> | 'new'>()
  const remove = useRemoval(reload)
  const mayChange = me !== undefined && GRANTS.every((grant) => mayEverywhere(me, grant))
  const { route } = useLocation()
  const showUsers = (filter: string): void =>
    route(`${pathOf('/users')}?role=${encodeURIComponent(filter)}`)
  const make = (): void => setEdited('new')
  const edit = ({ role_id: id }: OwnRole): void =>
    // Without `fields`, the response has all fields.
    void recordOf(api.GET('/role/{id}', { params: { path: { id } } })).then(
      (fetched) => setEdited(fetched as Fetched<OwnRole>),
      toast.problem,
    )
  useActions(mayChange ? [{ id: 'new-role', text: t.users.newRole, icon: 'plus', run: make }] : [])

  return (
    <Page
      title={t.users.rolesTitle}
      intro={t.users.rolesIntro}
      actions={
        mayChange && (
          <Button kind="primary" icon="plus" onPress={make}>
            {t.users.newRole}
          </Button>
        )
      }
      isWide
    >
      <UserTabs of="roles" />
      <Loading data={data} error={error} reload={reload} lines={6} />
      {data !== undefined && (
        <Table
          label={t.users.rolesTitle}
          rows={rowsOf(data, t)}
          columns={columnsIn({ t, mayChange, onUsers: showUsers, onEdit: edit, onRemove: remove })}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
        />
      )}
      {edited !== undefined && (
        <RoleDialog
          fetched={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            reload()
          }}
        />
      )}
    </Page>
  )
}

function rowsOf(own: readonly OwnRole[], t: Speech['t']): readonly Row[] {
  return [
    ...own.map((role) => ({
      id: role.role_id,
      name: role.name,
      description: role.description ?? '',
      grants: role.grants,
      filter: role.name,
      own: role,
    })),
    ...ROLE_NAMES.map((name, at) => ({
      id: -1 - at,
      name: t.users.roles[name],
      description: t.users.roleTexts[name],
      grants: ROLES[name],
      filter: name,
    })),
  ]
}

interface ColumnsOptions {
  readonly t: Speech['t']
  readonly mayChange: boolean
  readonly onUsers: (filter: string) => void
  readonly onEdit: (role: OwnRole) => void
  readonly onRemove: (role: OwnRole) => Promise<void>
}

function columnsIn({
  t,
  mayChange,
  onUsers,
  onEdit,
  onRemove,
}: ColumnsOptions): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      head: t.users.name,
      cell: ({ name, own, description }) => (
        <span class="role-name">
          <span>
            <bdi>{name}</bdi>
            {own === undefined && <span class="quiet"> {t.users.fixedRole}</span>}
          </span>
          {description !== '' && <bdi class="quiet">{description}</bdi>}
        </span>
      ),
    },
    {
      id: 'grants',
      head: t.keys.grants,
      look: 'role-grants',
      cell: ({ grants }) => grantNames(grants, t),
    },
    {
      id: 'actions',
      head: <span class="unseen">{t.users.more}</span>,
      isActions: true,
      cell: ({ own, name, filter }) => (
        <Menu
          button={{ icon: 'more', label: fill(t.users.actionsOfRole, { name }) }}
          items={[
            { text: t.users.showUsers, icon: 'users', onChoose: () => onUsers(filter) },
            ...(own === undefined || !mayChange
              ? []
              : [
                  { text: t.keys.change, icon: 'edit' as const, onChoose: () => onEdit(own) },
                  {
                    text: t.keys.delete,
                    icon: 'trash' as const,
                    isDangerous: true,
                    onChoose: () => void onRemove(own),
                  },
                ]),
          ]}
        />
      ),
    },
  ]
}

function useRemoval(onRemoved: () => void): (role: OwnRole) => Promise<void> {
  const { t } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  return async ({ role_id: id, name }) => {
    const isSure = await confirm({
      title: fill(t.users.deleteTitle, { name }),
      text: t.users.deleteRoleText,
      action: t.keys.delete,
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await dataOf(api.DELETE('/role/{id}', { params: { path: { id } } }))
      toast({ text: fill(t.users.deleted, { name }) })
    } catch (error) {
      const users = usersIn(error)
      if (users === undefined) toast.problem(error)
      else toast({ text: fill(t.users.roleInUse, { name, users }), isFault: true })
    }
    onRemoved()
  }
}

/** The users who have the role that was not deleted, in words; undefined for another error. */
function usersIn(error: unknown): string | undefined {
  if (!(error instanceof Problem) || error.code !== 'in-use') return undefined
  const { users } = error.facts.members
  return typeof users === 'string' ? users : undefined
}

interface RoleDialogProps {
  /** Undefined for a new role. */
  readonly fetched: Fetched<OwnRole> | undefined
  readonly onClose: () => void
  readonly onSaved: () => void
}

interface RoleValues {
  readonly [name: string]: string
  readonly name: string
  readonly description: string
  /** Grants separated by commas. */
  readonly grants: string
}

function RoleDialog({ fetched, onClose, onSaved }: RoleDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const role = fetched?.record

  async function save(values: RoleValues, { once }: Filled): Promise<void> {
    const { name } = values
    const grants = [...(grantsOf(values.grants) ?? [])]
    const description = values.description.trim() === '' ? null : values.description.trim()
    if (fetched === undefined) {
      const body = { name, description, grants }
      await dataOf(api.POST('/role', { params: { header: once(body) }, body }))
    } else {
      const { record, etag } = fetched
      const params = { path: { id: record.role_id }, header: { 'If-Match': etag } }
      await dataOf(api.PATCH('/role/{id}', { params, body: { name, description, grants } }))
    }
    toast({ text: t.general.saved })
    onSaved()
  }

  return (
    <Dialog
      title={role === undefined ? t.users.newRole : fill(t.users.editRole, { name: role.name })}
      onClose={onClose}
    >
      <Form
        name={`role-${role?.role_id ?? 'new'}`}
        initial={{
          name: role?.name ?? '',
          description: role?.description ?? '',
          grants: textOfGrants(role?.grants ?? ['view']),
        }}
        submit={role === undefined ? t.users.makeRole : t.general.save}
        onSubmit={save}
      >
        <TextInput
          name="name"
          label={t.users.name}
          hint={role && t.users.roleNameHint}
          isRequired
          isFocused={role === undefined}
        />
        <TextInput name="description" label={t.users.roleDescription} isOptional />
        <RoleGrants />
      </Form>
    </Dialog>
  )
}

function RoleGrants() {
  const { t } = useTexts()
  const { value, change } = useBound<string>({ name: 'grants' }, '')
  return (
    <div class="grants-field">
      <p class="field-label">{t.keys.grants}</p>
      <GrantBoxes grants={grantsOf(value) ?? []} offered={GRANTS} onChange={change} />
    </div>
  )
}
