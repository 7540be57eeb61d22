// The frame of pages without a sign-in: product name, language and appearance.

import type { ComponentChildren } from 'preact'
import { useTexts } from '../texts/use-texts.ts'
import { Brand } from '../ui/brand.tsx'
import { Menu } from '../ui/menu.tsx'
import { usePreferenceItems } from './preference-items.ts'

export function BareFrame({ children }: { readonly children: ComponentChildren }) {
  const { t } = useTexts()
  const items = usePreferenceItems()
  return (
    <div class="bare-frame">
      <header class="bare-frame-head">
        <Brand />
        <Menu button={{ icon: 'globe', label: t.frame.preferences }} items={items} />
      </header>
      <main id="content" class="bare-frame-content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
