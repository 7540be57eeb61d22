// The product name with its logo, which is also the favicon.
//
//   <Brand />

import { useTexts } from '../texts/use-texts.ts'

export function Brand() {
  const { t } = useTexts()
  return (
    <span class="brand">
      <svg class="brand-sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="7" />
        <path d="M9 10h14M9 16h14M9 22h8" />
      </svg>
      {t.general.product}
    </span>
  )
}
