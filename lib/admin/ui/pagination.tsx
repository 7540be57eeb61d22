// Pages through a list with cursors: each response has the cursor of the next page, and previous cursors are
// remembered.
//
//   const pages = useCursors()
//   const keys = useRequest((signal) => dataOf(api.GET('/api_key', { signal, params: { query: { cursor: pages.cursor } } })), [pages.cursor])
//   <Pagination pages={pages} next={keys.data?.page.next} />

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import type { Sort } from './table.tsx'

export interface Cursors {
  /** Undefined for the first page. */
  readonly cursor: string | undefined
  readonly hasPrevious: boolean
  readonly goOn: (cursor: string) => void
  readonly goBack: () => void
  /** Returns to the first page, for a new search. */
  readonly restart: () => void
}

export function useCursors(): Cursors {
  const [passed, setPassed] = useState<readonly string[]>([])
  return {
    cursor: passed.at(-1),
    hasPrevious: passed.length > 0,
    goOn: (cursor) => setPassed([...passed, cursor]),
    goBack: () => setPassed(passed.slice(0, -1)),
    restart: () => setPassed([]),
  }
}

const LENGTH = 50

interface PageOfList {
  readonly sort: Sort
  readonly cursor: string | undefined
}

/** The parameters of the request for one page of a sorted list, with the number of all records. */
export function pageQuery({ sort, cursor }: PageOfList) {
  return {
    orderStr: sort.by,
    orderDir: sort.isDown ? 'DESC' : 'ASC',
    length: LENGTH,
    count: 'exact' as const,
    ...(cursor !== undefined && { cursor }),
  }
}

export interface PaginationProps {
  readonly pages: Cursors
  /** Cursor of the next page; null or undefined on the last one. */
  readonly next: string | null | undefined
  /** Known totals. */
  readonly children?: ComponentChildren
}

export function Pagination({ pages, next, children }: PaginationProps) {
  const { t } = useTexts()
  const isLast = next === null || next === undefined
  const isOnly = isLast && !pages.hasPrevious
  if (isOnly && (children === undefined || children === '')) return null
  return (
    <div class="pagination">
      <span class="pagination-text">{children}</span>
      {!isOnly && (
        <>
          <Button
            icon="chevronLeft"
            label={t.general.previous}
            isDisabled={!pages.hasPrevious}
            onPress={pages.goBack}
          />
          <Button
            icon="chevronRight"
            label={t.general.next}
            isDisabled={isLast}
            onPress={() => {
              if (!isLast) pages.goOn(next)
            }}
          />
        </>
      )}
    </div>
  )
}
