// The preview of a file on its site, as a page of its own.

import { useRoute } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LoadingPage, Page } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { readFile } from '../content/records.ts'
import { SitePreview } from '../editor/site-preview.tsx'

export function SitePreviewPage() {
  const { t } = useTexts()
  const api = useApi()
  const { params } = useRoute()
  const fileId = Number(params['id'])
  const { data, error, reload } = useRequest((signal) => readFile(api, fileId, signal), [fileId])
  const isSmall = matchMedia('(max-width: 48rem)').matches
  if (data === undefined)
    return <LoadingPage title={t.titles.content} isWide found={{ error, reload }} />
  return (
    <Page
      title={data.record.name}
      isWide
      actions={
        <ButtonLink href={pathOf(`/content/file/${fileId}`)} icon="file">
          {t.editor.toFile}
        </ButtonLink>
      }
    >
      <SitePreview key={fileId} fileId={fileId} initialWidth={isSmall ? 'phone' : 'desktop'} />
    </Page>
  )
}
