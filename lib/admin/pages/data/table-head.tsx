// The head of all datatable pages: name, folder, and links to the sections.
//
//   const table = useTable(id)
//   <TablePage table={table} current="schema" actions={…}>{(shown) => <Editor key={id} shown={shown} />}</TablePage>

import type { ComponentChildren } from 'preact'
import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import type { Requested } from '../../ui/use-request.ts'
import { Breadcrumb } from '../content/breadcrumb.tsx'
import { TableMenu } from './table-menu.tsx'
import type { ShownTable } from './table.ts'

export type TablePart = 'entries' | 'schema' | 'api'

export interface TablePageProps {
  readonly table: Requested<ShownTable>
  readonly current: TablePart
  /** Actions of this section. */
  readonly actions?: ComponentChildren
  readonly children: (shown: ShownTable) => ComponentChildren
}

export function TablePage({ table, current, actions, children }: TablePageProps) {
  const { t } = useTexts()
  const { data, error, reload } = table
  if (data === undefined) {
    return (
      <Page title={t.titles.table} isWide>
        {error === undefined ? (
          <Skeleton lines={8} />
        ) : (
          <>
            <ProblemNotice error={error} onRetry={reload} />
            <p>
              <ButtonLink href={pathOf('/data')}>{t.data.toAll}</ButtonLink>
            </p>
          </>
        )}
      </Page>
    )
  }

  const { record, line } = data
  return (
    <Page
      title={record.name}
      actions={
        <>
          {actions}
          <TableMenu shown={data} table={table} />
        </>
      }
      isWide
    >
      <div class="table-head">
        <Breadcrumb line={line} leaf={record.name} />
        <TabLinks
          label={t.data.parts}
          links={PARTS.map((part) => ({
            href: pathOf(`/data/${record.datatable_id}${part === 'entries' ? '' : `/${part}`}`),
            text: t.data.partNames[part],
            isCurrent: part === current,
          }))}
        />
      </div>
      {children(data)}
    </Page>
  )
}

const PARTS: readonly TablePart[] = ['entries', 'schema', 'api']
