// One key: facts, settings, rotation and revocation.

import { useLocation, useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Clash, type ClashField } from '../../ui/clash.tsx'
import { Form } from '../../ui/form.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadingPage, Page, Section } from '../../ui/page.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { type Requested, useRequest } from '../../ui/use-request.ts'
import { useSignOut } from '../../ui/use-sign-out.ts'
import { bodyOf, grantsOf, type Key, NEVER, type ShownKey, valuesOf } from './key.ts'
import { RevokeKey, RotateKey } from './key-dialogs.tsx'
import { grantsText, KeyFacts } from './key-facts.tsx'
import { ExpiryField, GrantsField } from './key-fields.tsx'
import { nameOfKey, namesOfUsers, pathsOfFolders } from './key-search.ts'
import { offeredTo, requireGrants } from './new-key.tsx'
import type { Asker } from './why-answer.tsx'
import { ToWhy, WhyDenied } from './why-denied.tsx'

export function KeyPage() {
  return <OneKey base="/keys" isOfAll />
}

export function TokenPage() {
  return <OneKey base="/profile/tokens" isOfAll={false} />
}

interface OneKeyProps {
  readonly base: string
  readonly isOfAll: boolean
}

function OneKey({ base, isOfAll }: OneKeyProps) {
  const { t } = useTexts()
  const api = useApi()
  const id = Number(useRoute().params['id'])
  const found = useRequest((signal) => readKey(api, id, signal), [id])
  const { data } = found
  const up = <Link href={pathOf(base)}>{isOfAll ? t.titles.keys : t.titles.tokens}</Link>
  if (data === undefined) return <LoadingPage title={t.titles.key} intro={up} found={found} />
  return (
    <Page
      key={id}
      title={data.record.name}
      intro={up}
      actions={<KeyActions shown={data} found={found} base={base} />}
    >
      {data.record.date_signed_in !== null && <Notice kind="info">{t.keys.isSession}</Notice>}
      <KeyFacts shown={data} base={base} />
      <div id="change">
        <Section title={t.keys.change}>
          <KeyForm
            shown={data}
            isOfAll={isOfAll}
            read={() => readKey(api, id)}
            onFetched={(fetched) => found.set({ ...data, ...fetched })}
          />
        </Section>
      </div>
      <WhyDenied of={askerOf(data)} />
    </Page>
  )
}

function askerOf({ record, etag }: ShownKey): Asker {
  const { api_key_id: id, name, user_id: userId } = record
  return { kind: 'key', id, name, userId: userId ?? 0, etag }
}

async function readKey(api: Api, id: number, signal?: AbortSignal): Promise<ShownKey> {
  const init = { ...(signal !== undefined && { signal }), params: { path: { id } } }
  // Without `fields`, the response has all fields.
  const fetched = (await recordOf(api.GET('/api_key/{id}', init))) as Fetched<Key>
  const { user_id: user, asset_category_id: folder, made_by: made } = fetched.record
  const gone = signal ?? new AbortController().signal
  const [users, folders, maker] = await Promise.all([
    namesOfUsers(api, [user], gone),
    pathsOfFolders(api, [folder], gone),
    nameOfKey(api, made, gone),
  ])
  return { ...fetched, users, folders, maker }
}

interface KeyActionsProps {
  readonly shown: ShownKey
  readonly found: Requested<ShownKey>
  readonly base: string
}

function KeyActions({ shown, found, base }: KeyActionsProps) {
  const { t } = useTexts()
  const toast = useToast()
  const { route } = useLocation()
  const setStatus = useSetStatus(shown, found)
  const signOut = useSignOut()
  const own = useMe()?.api_key.api_key_id
  const [open, setOpen] = useState<'rotate' | 'revoke'>()
  const { record, etag } = shown
  const { api_key_id: id, name } = record
  const isOwn = id === own
  const isActive = record.status === 'active'

  return (
    <>
      <ToWhy />
      {record.date_signed_in === null && (
        <Button icon="history" onPress={() => setOpen('rotate')}>
          {t.keys.rotate}
        </Button>
      )}
      <Menu
        button={{ class: 'button button-sign', icon: 'more', label: t.keys.more }}
        items={[
          ...(isOwn
            ? []
            : [
                {
                  text: isActive ? t.keys.deactivate : t.keys.activate,
                  icon: isActive ? ('pause' as const) : ('play' as const),
                  onChoose: () => void setStatus(isActive ? 'inactive' : 'active', etag),
                },
              ]),
          {
            text: t.keys.revoke,
            icon: 'trash',
            isDangerous: true,
            onChoose: () => setOpen('revoke'),
          },
        ]}
      />
      {open === 'rotate' && (
        <RotateKey fetched={shown} onRotated={found.reload} onClose={() => setOpen(undefined)} />
      )}
      {open === 'revoke' && (
        <RevokeKey
          fetched={shown}
          isOwn={isOwn}
          onRevoked={() => {
            if (isOwn) return void signOut()
            toast({ text: fill(t.keys.revoked, { name }) })
            route(pathOf(base))
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

type Status = 'active' | 'inactive'

/** Sets the status with an undo toast; undo fails after a concurrent change. */
function useSetStatus(shown: ShownKey, found: Requested<ShownKey>) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const { api_key_id: id, name } = shown.record
  return async function setStatus(status: Status, etag: string): Promise<void> {
    try {
      const params = { path: { id }, header: { 'If-Match': etag } }
      const next = await recordOf(api.PATCH('/api_key/{id}', { params, body: { status } }))
      found.set({ ...shown, ...next })
      const back = status === 'active' ? 'inactive' : 'active'
      toast({
        text: fill(status === 'active' ? t.keys.activated : t.keys.deactivated, { name }),
        action: { text: t.general.undo, onPress: () => void setStatus(back, next.etag) },
      })
    } catch (error) {
      toast.problem(error)
      found.reload()
    }
  }
}

interface KeyFormProps {
  readonly shown: ShownKey
  readonly isOfAll: boolean
  readonly read: () => Promise<ShownKey>
  readonly onFetched: (fetched: Fetched<Key>) => void
}

/** Changes a key, and handles concurrent changes. */
function KeyForm({ shown, isOfAll, read, onFetched }: KeyFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const toast = useToast()
  const id = shown.record.api_key_id
  const edit = useEdit({
    fetched: shown,
    valuesOf,
    read,
    async send(changed, etag) {
      requireGrants(changed, t.keys.grantsNone)
      const params = { path: { id }, header: { 'If-Match': etag } }
      return recordOf(api.PATCH('/api_key/{id}', { params, body: bodyOf(changed) }))
    },
    onFetched,
    onSaved: () => toast({ text: t.general.saved }),
  })
  const fields = useFields()
  const isSession = shown.record.date_signed_in !== null

  return (
    <Form
      name={`key-${id}`}
      initial={valuesOf(shown.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash clash={edit.clash} fields={fields} />
      <TextInput name="name" label={t.keys.name} hint={t.keys.nameHint} isRequired />
      {!isSession && (
        <>
          <GrantsField name="grants" offered={offeredTo(me, isOfAll)} />
          <FolderPicker
            name="asset_category_id"
            label={t.keys.folder}
            hint={t.keys.folderHint}
            isOptional
          />
          <ExpiryField name="date_expires" present={shown.record.date_expires ?? NEVER} />
        </>
      )}
    </Form>
  )
}

function useFields(): readonly ClashField[] {
  const { t, formats } = useTexts()
  return [
    { name: 'name', label: t.keys.name, text: String },
    {
      name: 'grants',
      label: t.keys.grants,
      text: (value) => grantsText(grantsOf(String(value)), t),
    },
    {
      name: 'asset_category_id',
      label: t.keys.folder,
      text: (value) => (value === '' ? t.picker.everywhere : `#${String(value)}`),
    },
    {
      name: 'date_expires',
      label: t.keys.expires,
      text: (value) => (value === NEVER ? t.keys.never : formats.dateTime(new Date(String(value)))),
    },
  ]
}
