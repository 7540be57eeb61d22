// The editor page of a file.

import { useRoute } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { grantsIn } from '../content/records.ts'
import { EditorView } from './editor-view.tsx'
import { openFile } from './opened-file.ts'

export function EditorPage() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const { params } = useRoute()
  const id = Number(params['id'])
  const userId = me?.user.user_id ?? 0
  const loaded = useRequest((signal) => openFile({ api, id, userId, signal }), [id])
  const { data } = loaded
  if (data === undefined || (data !== 'no-text' && data.latest.record.asset_file_id !== id)) {
    return <LoadingPage title={t.titles.content} isWide found={loaded} />
  }
  if (data === 'no-text') return <NotHere id={id} text={t.editor.noText} />
  const grants = grantsIn(me, data.line)
  if (!grants.has('modify')) return <NotHere id={id} text={t.editor.notForYou} />
  return <EditorView key={id} opened={data} grants={grants} userId={userId} />
}

function NotHere({ id, text }: { readonly id: number; readonly text: string }) {
  const { t } = useTexts()
  return (
    <Page title={t.titles.content} isWide>
      <EmptyState
        icon="edit"
        title={text}
        action={<ButtonLink href={pathOf(`/content/file/${id}`)}>{t.editor.toFile}</ButtonLink>}
      />
    </Page>
  )
}
