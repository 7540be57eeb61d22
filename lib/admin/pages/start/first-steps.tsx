// The first steps of a user, with their progress. They disappear when all are done or the user dismisses them.

import { useState } from 'preact/hooks'
import { ADMIN_PATH, pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { mayEverywhere, maySomewhere, ownedBy } from '../../client/me.ts'
import { readStored, writeStored } from '../../client/stored.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import { useRequest } from '../../ui/use-request.ts'

export function FirstSteps() {
  const { t } = useTexts()
  const me = useMe()
  const userId = me?.user.user_id
  const name = `cms${ADMIN_PATH}.first-steps.${userId}`
  const [isDismissed, setIsDismissed] = useState(() => readStored(name) !== undefined)
  const { steps, isKnown } = useSteps()
  // Steps that are done would flash before the answers arrive.
  if (isDismissed || !isKnown || steps.every(({ isDone }) => isDone === true)) return null

  const dismiss = (): void => {
    writeStored(name, 'dismissed')
    setIsDismissed(true)
  }
  return (
    <Section title={t.start.steps}>
      {me !== undefined && maySomewhere(me, 'publish') && <p class="quiet">{t.start.stepsText}</p>}
      <Steps steps={steps} />
      <div>
        <Button kind="quiet" onPress={dismiss}>
          {t.start.dismiss}
        </Button>
      </div>
    </Section>
  )
}

/** Steps that the user may not do are hidden. */
function useSteps(): { readonly steps: readonly Step[]; readonly isKnown: boolean } {
  const { t } = useTexts()
  const me = useMe()
  const { data: done, isLoading } = useDone()
  if (me === undefined) return { steps: [], isKnown: false }
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
  const steps = [
    ...(mayCreate ? [file] : maySomewhere(me, 'view') ? [look] : []),
    ...(maySomewhere(me, 'publish') ? [publish] : []),
    ...(mayCreate ? [table] : []),
    key,
  ]
  return { steps, isKnown: !isLoading }
}

/** Reads which steps this user has done. The work of others does not count. */
function useDone() {
  const api = useApi()
  const user = useMe()?.user
  const id = user?.user_id
  const own = user === undefined ? {} : ownedBy(user)
  return useRequest(
    async (signal) => {
      const files = async (qry: object): Promise<boolean> => {
        const query = { qry: JSON.stringify(qry), length: 1, fields: 'asset_file_id' }
        const found = await dataOf(api.GET('/asset_file', { signal, params: { query } }))
        return found.asset_file.length > 0
      }
      const tables = async (): Promise<boolean> => {
        const query = { qry: JSON.stringify(own), length: 1, fields: 'datatable_id' }
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
        files(own),
        files({ ...own, live_version: { $gt: 0 } }),
        tables(),
        keys(),
      ])
      return { hasFile, hasLive, hasTable, hasKey }
    },
    [id],
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
