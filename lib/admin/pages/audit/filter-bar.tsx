// The filters of the audit trail. They are applied shortly after typing.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { type Filters, NO_FILTERS } from './filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  readonly isClear: boolean
}

export function FilterBar({ filters, onChange, isClear }: FilterBarProps) {
  const { t } = useTexts()
  const { actions, kinds, filter } = t.audit
  const field = (name: keyof Filters) => ({
    name,
    label: filter[name],
    value: filters[name],
    onChange: (value: string) => onChange({ ...filters, [name]: value }),
  })
  const optionsOf = (texts: Readonly<Record<string, string>>) => [
    { value: '', text: filter.all },
    ...Object.entries(texts).map(([value, text]) => ({ value, text })),
  ]
  return (
    <search class="audit-filters" aria-label={filter.label}>
      <TextInput {...field('user')} type="search" />
      <Select {...field('action')} options={optionsOf(actions)} />
      <Select {...field('object')} options={optionsOf(kinds)} />
      <TextInput {...field('objectId')} inputMode="numeric" />
      <TextInput {...field('keyId')} inputMode="numeric" />
      <TextInput {...field('from')} type="date" />
      <TextInput {...field('to')} type="date" />
      <div class="audit-filters-end">
        <Button kind="quiet" isDisabled={isClear} onPress={() => onChange(NO_FILTERS)}>
          {filter.clear}
        </Button>
      </div>
    </search>
  )
}
