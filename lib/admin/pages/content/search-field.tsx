// A search field with an icon instead of a visible label.

import { Icon } from '../../ui/icon.tsx'

export interface SearchFieldProps {
  readonly label: string
  /** Defaults to the label. */
  readonly hint?: string
  readonly value: string
  /** In a dialog, the field has the focus first. */
  readonly isFirst?: boolean
  readonly onChange: (value: string) => void
}

export function SearchField({ label, hint = label, value, isFirst, onChange }: SearchFieldProps) {
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        class="input"
        type="search"
        aria-label={label}
        placeholder={hint}
        value={value}
        autofocus={isFirst}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}
