// Shown in place of an empty grid.

import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export interface NoEntriesProps {
  readonly tableId: number
  readonly isFiltered: boolean
  /** The searched text contains * or %. */
  readonly hasWildcards: boolean
  readonly mayCreate: boolean
  readonly onClear: () => void
}

export function NoEntries({
  tableId,
  isFiltered,
  hasWildcards,
  mayCreate,
  onClear,
}: NoEntriesProps) {
  const { t } = useTexts()
  if (isFiltered) {
    return (
      <EmptyState
        icon="search"
        title={t.entries.nothingFound}
        action={<Button onPress={onClear}>{t.entries.clearFilters}</Button>}
      >
        {hasWildcards ? t.general.noWildcards : t.entries.nothingFoundText}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="table"
      title={t.entries.empty}
      action={
        mayCreate && (
          <ButtonLink icon="plus" href={pathOf(`/data/${tableId}/new`)}>
            {t.entries.newOne}
          </ButtonLink>
        )
      }
    >
      {mayCreate ? t.entries.emptyText : t.entries.emptyView}
    </EmptyState>
  )
}
