// The frame of every page: the side bar with the navigation, which is a drawer on narrow screens.

import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Brand } from '../ui/brand.tsx'
import { Button } from '../ui/button.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { Menu } from '../ui/menu.tsx'
import { useFocus } from '../ui/use-focus.ts'
import type { PageDefinition } from './page-definition.ts'
import { type Over, OverPage, PaletteButton } from './palette.tsx'
import { usePreferenceItems } from './preferences.ts'
import { SideBar } from './side-bar.tsx'

interface FrameProps {
  /** The pages that the user may see. */
  readonly pages: readonly PageDefinition[]
  /** Whether the content takes the focus, because the sign-in form that had it is gone. */
  readonly takesFocus: boolean
  readonly children: ComponentChildren
}

export function Frame({ pages, takesFocus, children }: FrameProps) {
  const { t } = useTexts()
  const { path } = useLocation()
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  const [over, setOver] = useState<Over>()
  useEffect(() => setIsMenuOpen(false), [path])
  const openPalette = (): void => setOver('palette')
  const main = useFocus<HTMLElement>(takesFocus)

  return (
    <div class="frame">
      <a class="skip" href="#content">
        {t.frame.skip}
      </a>
      <header class="top-bar">
        <Button kind="quiet" icon="menu" label={t.frame.open} onPress={() => setIsMenuOpen(true)} />
        <Brand />
        <div class="top-bar-search">
          <Button kind="quiet" icon="search" label={t.frame.find} onPress={openPalette} />
        </div>
      </header>
      <header class="side">
        <SideBar pages={pages}>
          <PaletteButton onPress={openPalette} />
        </SideBar>
      </header>
      {isMenuOpen && (
        <Drawer label={t.frame.menu} close={t.frame.closeMenu} onClose={() => setIsMenuOpen(false)}>
          <SideBar pages={pages} />
        </Drawer>
      )}
      <main ref={main} id="content" class="content" tabIndex={-1}>
        {children}
      </main>
      <OverPage pages={pages} shown={over} onShow={setOver} />
    </div>
  )
}

/** The frame of pages without a sign-in: product name, language and appearance. */
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
