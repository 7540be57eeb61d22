// The start page: first steps with their progress, the user's permissions, and links to documentation.

import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { mayEverywhere, maySomewhere } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { Rights } from './rights.tsx'

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

/** Steps that the user may not do are hidden. */
function useSteps(): readonly Step[] {
  const { t } = useTexts()
  const me = useMe()
  const done = useDone()
  if (me === undefined) return []
  const mayCreate = maySomewhere(me, 'create')
  const isAdmin = mayEverywhere(me, 'admin')
  const look: Step = {
    title: t.start.lookTitle,
    text: t.start.lookText,
    page: '/content',
    action: t.titles.content,
    icon: 'folder',
  }
  const file: Step = {
    title: t.start.fileTitle,
    text: t.start.fileText,
    page: '/content?new=file',
    action: t.acts.newFile,
    icon: 'plus',
    isDone: done?.hasFile,
  }
  const publish: Step = {
    title: t.start.publishTitle,
    text: t.start.publishText,
    page: '/content',
    action: t.titles.content,
    icon: 'folder',
    isDone: done?.hasLive,
  }
  const table: Step = {
    title: t.start.tableTitle,
    text: t.start.tableText,
    page: '/data',
    action: t.frame.groups.data,
    icon: 'table',
    isDone: done?.hasTable,
  }
  const key: Step = {
    title: t.start.keyTitle,
    text: t.start.keyText,
    page: isAdmin ? '/keys?new=' : '/profile/tokens?new=',
    action: t.acts.newKey,
    icon: 'key',
    isDone: done?.hasKey,
  }
  return [
    ...(mayCreate ? [file] : maySomewhere(me, 'view') ? [look] : []),
    ...(maySomewhere(me, 'publish') ? [publish] : []),
    ...(mayCreate ? [table] : []),
    key,
  ]
}

function useDone() {
  const api = useApi()
  const id = useMe()?.user.user_id
  const { data } = useRequest(
    async (signal) => {
      const files = async (qry: object): Promise<boolean> => {
        const query = { qry: JSON.stringify(qry), length: 1, fields: 'asset_file_id' }
        const found = await dataOf(api.GET('/asset_file', { signal, params: { query } }))
        return found.asset_file.length > 0
      }
      const tables = async (): Promise<boolean> => {
        const query = { length: 1, fields: 'datatable_id' }
        const found = await dataOf(api.GET('/datatable', { signal, params: { query } }))
        return found.datatable.length > 0
      }
      const keys = async (): Promise<boolean> => {
        const qry = JSON.stringify({ user_id: id, date_signed_in: null })
        const query = { qry, length: 1, fields: 'api_key_id' }
        const found = await dataOf(api.GET('/api_key', { signal, params: { query } }))
        return found.api_key.length > 0
      }
      const [hasFile, hasLive, hasTable, hasKey] = await Promise.all([
        files({}),
        files({ live_version: { $gt: 0 } }),
        tables(),
        keys(),
      ])
      return { hasFile, hasLive, hasTable, hasKey }
    },
    [id],
  )
  return data
}

function Learn() {
  const { t } = useTexts()
  return (
    <Section title={t.start.learn}>
      <p class="quiet">{t.start.learnText}</p>
      <dl class="start-learn">
        <dt>
          <Link href={pathOf('/documents/system')}>{t.frame.systemApi}</Link>
        </dt>
        <dd>{t.start.systemText}</dd>
        <dt>
          <Link href={pathOf('/documents/module')}>{t.frame.moduleApi}</Link>
        </dt>
        <dd>{t.start.moduleText}</dd>
      </dl>
    </Section>
  )
}

interface Step {
  readonly title: string
  readonly text: string
  readonly page: string
  /** Label of the link. */
  readonly action: string
  readonly icon: IconName
  /** Undefined if unknown. */
  readonly isDone?: boolean | undefined
}

/** A numbered list of steps, each with a link. */
function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTexts()
  return (
    <ol class="steps card">
      {steps.map(({ title, text, page, action, icon, isDone }, at) => (
        <li key={title} class="step">
          <span class={isDone === true ? 'step-number step-done' : 'step-number'}>
            {isDone === true ? <Icon name="check" /> : at + 1}
          </span>
          <div class="step-body">
            <h3>
              {title}
              {isDone === true && <span class="unseen"> ({t.start.done})</span>}
            </h3>
            <p class="quiet">{text}</p>
            <div>
              <ButtonLink href={pathOf(page)} icon={icon}>
                {action}
              </ButtonLink>
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
