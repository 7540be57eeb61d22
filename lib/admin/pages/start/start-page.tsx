// Where everybody begins: the first steps, with a tick at what the site has already; what the caller may do; and where
// to read on.

import { API, SERVER } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { folderFor, maySomewhere } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Link } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Rights } from './rights.tsx'
import { type Step, Steps } from './steps.tsx'

const SIGN = `-H 'Authorization: Bearer KEY'`

export function StartPage() {
  const { t } = useTexts()
  const me = useMe()
  const steps = useSteps()

  return (
    <Page title={fill(t.start.greeting, { name: me?.user.name ?? '' })} intro={t.start.intro}>
      <div class="start">
        <Section title={t.start.steps}>
          <Steps steps={steps} />
        </Section>
        <div class="start-beside">
          <Rights />
          <Learn />
        </div>
      </div>
    </Page>
  )
}

/** What who has signed in may not do is no step for them. */
function useSteps(): readonly Step[] {
  const { t } = useTexts()
  const me = useMe()
  const done = useDone()
  const folder = me && folderFor(me, 'create')
  const canPublish = me !== undefined && maySomewhere(me, 'publish')
  const ask: Step = {
    title: t.start.keyTitle,
    text: t.start.keyText,
    line: `curl ${SIGN} ${API}/me`,
  }
  const upload: Step = {
    title: t.start.uploadTitle,
    text: t.start.uploadText,
    line: `curl ${SIGN} -F asset_category_id=${folder ?? ''} -F Filedata=@index.html ${SERVER}/upload`,
    isDone: done?.hasFile,
  }
  const publish: Step = {
    title: t.start.publishTitle,
    text: t.start.publishText,
    line: `curl ${SIGN} -X POST ${API}/asset_file/ID/publish`,
    isDone: done?.hasLive,
  }
  const see: Step = {
    title: t.start.visitTitle,
    text: t.start.visitText,
    line: `curl ${SERVER}/file/ID/index.html`,
  }
  return [ask, ...(folder === undefined ? [] : [upload]), ...(canPublish ? [publish] : []), see]
}

function useDone() {
  const api = useApi()
  const has = async (qry: object, signal: AbortSignal): Promise<boolean> => {
    const query = { qry: JSON.stringify(qry), length: 1, fields: 'asset_file_id' }
    const found = await dataOf(api.GET('/asset_file', { signal, params: { query } }))
    return found.asset_file.length > 0
  }
  const { data } = useRequest(async (signal) => {
    const [hasFile, hasLive] = await Promise.all([
      has({}, signal),
      has({ live_version: { $gt: 0 } }, signal),
    ])
    return { hasFile, hasLive }
  }, [])
  return data
}

function Learn() {
  const { t } = useTexts()
  return (
    <Section title={t.start.learn}>
      <p class="quiet">{t.start.learnText}</p>
      <dl class="start-learn">
        <dt>
          <Link href={`${SERVER}/public/api/system`}>{t.frame.systemApi}</Link>
        </dt>
        <dd>{t.start.systemText}</dd>
        <dt>
          <Link href={`${SERVER}/public/api/module`}>{t.frame.moduleApi}</Link>
        </dt>
        <dd>{t.start.moduleText}</dd>
      </dl>
    </Section>
  )
}
