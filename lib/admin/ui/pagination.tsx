// From page to page of a list by the cursors that the server gives: each page names the next one, and those before
// are remembered.
//
//   const pages = useCursors()
//   const keys = useRequest((signal) => dataOf(api.GET('/api_key', { signal, params: { query: { cursor: pages.cursor } } })), [pages.cursor])
//   <Pagination pages={pages} next={keys.data?.page.next} />

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'

export interface Cursors {
  /** Undefined: that of the first page. */
  readonly cursor: string | undefined
  readonly hasPrevious: boolean
  readonly goOn: (cursor: string) => void
  readonly goBack: () => void
  /** To the first page, as another search wants it. */
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

export interface PaginationProps {
  readonly pages: Cursors
  /** Of the page after this one; null or undefined: there is none. */
  readonly next: string | null | undefined
  /** What is known of all: how many there are. */
  readonly children?: ComponentChildren
}

export function Pagination({ pages, next, children }: PaginationProps) {
  const { t } = useTexts()
  const isLast = next === null || next === undefined
  if (isLast && !pages.hasPrevious && children === undefined) return null
  return (
    <div class="pagination">
      <span class="pagination-text">{children}</span>
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
    </div>
  )
}
