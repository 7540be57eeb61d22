// Opens the palette and the list of keyboard shortcuts from every page. Both load when they are first opened.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useCell } from '../client/cell.ts'
import { useClient } from '../client/client-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys, useShortcut } from '../ui/shortcut.tsx'
import { useToast } from '../ui/toast.tsx'
import type { PageDefinition } from './page-definition.ts'
import { PaletteDialog, type PaletteViewProps } from './palette-dialog.tsx'
import { useAllPreferences } from './preferences.ts'

export type Over = 'palette' | 'shortcuts'

export interface OverPageProps {
  readonly pages: readonly PageDefinition[]
  readonly shown: Over | undefined
  readonly onShow: (shown: Over | undefined) => void
}

interface Views {
  readonly palette: ComponentType<PaletteViewProps>
  readonly shortcuts: ComponentType<{
    readonly pages: readonly PageDefinition[]
    readonly onClose: () => void
  }>
}

const LOAD: { readonly [N in Over]: () => Promise<Pick<Views, N>> } = {
  palette: () => import('./palette-view.tsx').then(({ PaletteView: palette }) => ({ palette })),
  shortcuts: () =>
    import('./shortcuts-view.tsx').then(({ ShortcutsView: shortcuts }) => ({ shortcuts })),
}

export function OverPage({ pages, shown, onShow }: OverPageProps) {
  const toast = useToast()
  const { addTexts } = useAllPreferences()
  const [loaded, setLoaded] = useState<Partial<Views>>({})
  // The palette is closed while the user has to sign in again.
  const isOver = useCell(useClient().session.state).kind === 'over'
  const toggle = (over: Over): void => onShow(shown === over || isOver ? undefined : over)
  useShortcut('mod+k', () => toggle('palette'))
  useShortcut('?', () => toggle('shortcuts'))
  useEffect(() => {
    if (shown === undefined || loaded[shown] !== undefined) return
    Promise.all([LOAD[shown](), addTexts(['palette'])]).then(
      ([view]) => setLoaded((before) => ({ ...before, ...view })),
      (error: unknown) => {
        onShow(undefined)
        toast.problem(error)
      },
    )
  }, [shown])

  const { palette, shortcuts: Shortcuts } = loaded
  const onClose = (): void => onShow(undefined)
  if (isOver) return null
  if (shown === 'palette') {
    const onKeys = (): void => onShow('shortcuts')
    return <PaletteDialog pages={pages} view={palette} onClose={onClose} onKeys={onKeys} />
  }
  if (shown === undefined || Shortcuts === undefined) return null
  return <Shortcuts pages={pages} onClose={onClose} />
}

/** Looks like a search field, because it opens one. */
export function PaletteButton({ onPress }: { readonly onPress: () => void }) {
  const { t } = useTexts()
  return (
    <button
      type="button"
      class="palette-button"
      title={t.frame.find}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onPress}
    >
      <Icon name="search" />
      <span>{t.frame.find}</span>
      <span class="palette-button-keys" aria-hidden="true">
        <Keys keys="mod+k" />
      </span>
    </button>
  )
}
