// The dialog with the settings of a folder that take effect on its website: layout, redirects and response headers.

import { dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Clash } from '../../ui/clash.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type Fetched, useEdit } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import { FormerNames } from './former-names.tsx'
import { LAYOUT, LayoutField, layoutId, layoutText } from './layout-field.tsx'
import type { FolderRecord } from './records.ts'

interface FolderSiteProps {
  readonly folder: FolderRecord
  readonly onClose: () => void
}

export function FolderSite(props: FolderSiteProps) {
  const { folder, onClose } = props
  const { t } = useTexts()
  const api = useApi()
  const params = { path: { id: folder.asset_category_id } }
  const read = (signal?: AbortSignal): Promise<Fetched<FolderRecord>> =>
    // Without `fields`, the response has all fields.
    recordOf(api.GET('/asset_category/{id}', { params, ...(signal && { signal }) })) as Promise<
      Fetched<FolderRecord>
    >
  const loaded = useRequest(read, [folder.asset_category_id])
  return (
    <Dialog title={fill(t.publicAccess.websiteOf, { name: folder.name })} onClose={onClose}>
      {!folder.is_public && <Notice kind="info">{t.publicAccess.noSite}</Notice>}
      <OwnFiles folderId={folder.asset_category_id} />
      {loaded.data !== undefined ? (
        <SiteForm {...props} fetched={loaded.data} onFetched={loaded.set} read={read} />
      ) : (
        <Loading {...loaded} />
      )}
      <FormerNames folderId={folder.asset_category_id} onEnded={loaded.reload} />
    </Dialog>
  )
}

/** Files that the server generates for each website, unless the root folder has a live file with the name. */
const MADE = ['robots.txt', 'sitemap.xml']

/** Says which files of the folder replace generated files. */
function OwnFiles({ folderId }: { readonly folderId: number }) {
  const { t } = useTexts()
  const api = useApi()
  const qry = JSON.stringify({ parent_category_id: folderId, name: { $in: MADE } })
  const loaded = useRequest(
    (signal) => {
      const query = { qry, fields: 'url,live_version' }
      return dataOf(api.GET('/asset_file', { signal, params: { query } }))
    },
    [qry],
  )
  const names = (loaded.data?.asset_file ?? [])
    .filter(({ live_version: live }) => live !== null)
    .map(({ url = '' }) => decodeURIComponent(url.split('/').at(-1) ?? ''))
    .filter((name) => MADE.includes(name.toLowerCase()))
  return names.map((name) => (
    <Notice key={name} kind="info">
      {fill(t.publicAccess.ownMade, { name })}
    </Notice>
  ))
}

interface SiteFormProps extends FolderSiteProps {
  readonly fetched: Fetched<FolderRecord>
  readonly onFetched: (fetched: Fetched<FolderRecord>) => void
  readonly read: () => Promise<Fetched<FolderRecord>>
}

function SiteForm({ folder, fetched, onFetched, read, onClose }: SiteFormProps) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const path = { id: folder.asset_category_id }
  const edit = useEdit({
    fetched,
    valuesOf,
    read,
    send: ({ redirects, site_headers: headers, layout_file_id: layout }, etag) =>
      recordOf(
        api.PATCH('/asset_category/{id}', {
          params: { path, header: { 'If-Match': etag } },
          body: {
            ...(redirects !== undefined && { redirects: redirectsOf(redirects) }),
            ...(headers !== undefined && { site_headers: headersOf(headers) }),
            ...(layout !== undefined && { layout_file_id: layoutId(layout) }),
          },
        }),
        // Only a dry run has another response.
      ) as Promise<Fetched<FolderRecord>>,
    onFetched,
    onSaved() {
      toast({ text: t.general.saved })
      onClose()
    },
  })
  const { redirects, headers, redirectsHint, headersHint } = t.publicAccess
  return (
    <Form
      name={`folder-site-${path.id}`}
      initial={valuesOf(fetched.record)}
      submit={t.general.save}
      onSubmit={edit.save}
    >
      <Clash
        clash={edit.clash}
        fields={[
          { name: 'redirects', label: redirects, text: String },
          { name: 'site_headers', label: headers, text: String },
          { name: LAYOUT, label: t.content.layout.label, text: String },
        ]}
      />
      <LayoutField inherited={t.publicAccess.inherited} hint={t.content.layout.folderHint} />
      <TextInput name="redirects" label={redirects} hint={redirectsHint} rows={6} isOptional />
      <TextInput name="site_headers" label={headers} hint={headersHint} rows={6} isOptional />
    </Form>
  )
}

interface Values {
  readonly [name: string]: string
  readonly redirects: string
  readonly site_headers: string
  readonly layout_file_id: string
}

function valuesOf(folder: FolderRecord): Values {
  const { redirects, site_headers: headers, layout_file_id: layout } = folder
  return {
    layout_file_id: layoutText(layout),
    redirects: (redirects ?? [])
      .map(({ from, to, status }) => [from, to, ...(status === 301 ? ['301'] : [])].join(' '))
      .join('\n'),
    site_headers: Object.entries(headers ?? {})
      .map(([name, value]) => `${name}: ${value}`.trim())
      .join('\n'),
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The server checks the parts of a line and names the line. */
function redirectsOf(text: string): FolderRecord['redirects'] {
  const redirects = linesOf(text).map((line) => {
    const [from = '', to = '', status = '308', ...others] = line.split(/\s+/)
    return { from, to: [to, ...others].join(' '), status: Number(status) as 301 | 308 }
  })
  return redirects.length === 0 ? null : redirects
}

function headersOf(text: string): FolderRecord['site_headers'] {
  const headers = linesOf(text).map((line) => {
    const [name = ''] = line.split(':', 1)
    return [name.trim(), line.slice(name.length + 1).trim()] as const
  })
  return headers.length === 0 ? null : Object.fromEntries(headers)
}
