// How programs use a datatable: its address, example requests, and the key they need.

import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { pathOf, SERVER } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { mayEverywhere } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Language, LANGUAGES, linesOf, type Task, TASKS } from './api-lines.ts'
import { type Datatable, type ShownTable, useTable } from './table.ts'
import { TablePage } from './table-head.tsx'

export function ApiPage() {
  const id = Number(useRoute().params['id'])
  const table = useTable(id)
  return (
    <TablePage table={table} current="api">
      {(shown) => <TableApi shown={shown} />}
    </TablePage>
  )
}

function TableApi({ shown }: { readonly shown: ShownTable }) {
  const { t } = useTexts()
  const { record } = shown
  const url = addressOf(record)
  return (
    <div class="table-api">
      <Section title={t.data.address}>
        <CodeLine text={url} label={t.data.address} />
        <p class="quiet">{t.data.addressText}</p>
        <div class="form-actions">
          <ButtonLink
            icon="book"
            href={pathOf(`/documents/module?module=datatable/${record.datatable_id}`)}
          >
            {t.data.tryOut}
          </ButtonLink>
        </div>
      </Section>
      <Section title={t.data.key}>
        <Key record={record} />
      </Section>
      <Section title={t.data.lines}>
        <Lines record={record} url={url} />
      </Section>
    </div>
  )
}

function addressOf({ module_url: url }: Datatable): string {
  return new URL(url, `${SERVER}/`).href
}

const NEEDED = ['view', 'create', 'modify', 'delete'] as const satisfies readonly Grant[]

function Key({ record }: { readonly record: Datatable }) {
  const { t } = useTexts()
  const me = useMe()
  const base = me !== undefined && mayEverywhere(me, 'admin') ? '/keys' : '/profile/tokens'
  const make = (grants: readonly Grant[]): string => {
    const query = new URLSearchParams({
      new: record.name,
      grants: grants.join(','),
      folder: String(record.parent_category_id),
    })
    return pathOf(`${base}?${query.toString()}`)
  }
  return (
    <>
      {record.public && <p>{t.publicAccess.datatableKey}</p>}
      <p>{t.data.keyText}</p>
      <Facts
        look="table-grants"
        facts={NEEDED.map((grant) => [<code>{grant}</code>, t.data.grantTexts[grant]])}
      />
      <div class="form-actions">
        <ButtonLink icon="key" href={make(['view'])}>
          {t.data.readKey}
        </ButtonLink>
        <ButtonLink icon="key" href={make(NEEDED)}>
          {t.data.writeKey}
        </ButtonLink>
      </div>
    </>
  )
}

interface LinesProps {
  readonly record: Datatable
  readonly url: string
}

function Lines({ record, url }: LinesProps) {
  const { t } = useTexts()
  const [language, setLanguage] = useState<Language>('curl')
  const options = { url, columns: record.columns ?? [], titleField: record.title_field }
  return (
    <>
      <p>{t.data.linesText}</p>
      <Tabs
        label={t.data.languages}
        shown={language}
        onShow={(id) => setLanguage(LANGUAGES.find((each) => each === id) ?? 'curl')}
        tabs={LANGUAGES.map((id) => ({
          id,
          text: NAMES[id],
          content: () => <LinesIn lines={linesOf(options, id)} />,
        }))}
      />
    </>
  )
}

/** The same in every user interface language. */
const NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
}

function LinesIn({ lines }: { readonly lines: Readonly<Record<Task, string>> }) {
  const { t } = useTexts()
  return (
    <div class="table-lines">
      {TASKS.map((task) => (
        <div key={task}>
          <h3>{t.data.tasks[task]}</h3>
          <CodeLine text={lines[task]} label={t.data.tasks[task]} />
        </div>
      ))}
    </div>
  )
}
