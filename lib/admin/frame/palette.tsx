// Opens the palette and the list of all keys, from wherever. Both are loaded when they are opened first.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useCell } from '../client/cell.ts'
import { useClient } from '../client/client-context.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Keys } from '../ui/keys.tsx'
import { useToast } from '../ui/toast.tsx'
import { useShortcut } from '../ui/use-shortcut.ts'
import type { PageDefinition } from './page-definition.ts'

export type Over = 'palette' | 'shortcuts'

export interface OverPageProps {
  readonly pages: readonly PageDefinition[]
  readonly shown: Over | undefined
  readonly onShow: (shown: Over | undefined) => void
}

type View = ComponentType<{
  readonly pages: readonly PageDefinition[]
  readonly onClose: () => void
  readonly onKeys: () => void
}>

const LOAD: Readonly<Record<Over, () => Promise<View>>> = {
  palette: () => import('./palette-view.tsx').then(({ PaletteView }) => PaletteView),
  shortcuts: () => import('./shortcuts-view.tsx').then(({ ShortcutsView }) => ShortcutsView),
}

export function OverPage({ pages, shown, onShow }: OverPageProps) {
  const toast = useToast()
  const [loaded, setLoaded] = useState<Readonly<Partial<Record<Over, View>>>>({})
  // Who has to sign in again does that first.
  const isOver = useCell(useClient().session.state).kind === 'over'
  const toggle = (over: Over): void => onShow(shown === over || isOver ? undefined : over)
  useShortcut('mod+k', () => toggle('palette'))
  useShortcut('?', () => toggle('shortcuts'))
  useEffect(() => {
    if (shown === undefined || loaded[shown] !== undefined) return
    LOAD[shown]().then(
      (view) => setLoaded((before) => ({ ...before, [shown]: view })),
      (error: unknown) => {
        onShow(undefined)
        toast.problem(error)
      },
    )
  }, [shown])

  const Shown = shown === undefined || isOver ? undefined : loaded[shown]
  if (Shown === undefined) return null
  return (
    <Shown pages={pages} onClose={() => onShow(undefined)} onKeys={() => onShow('shortcuts')} />
  )
}

/** Looks like a field, as what it opens is one. */
export function PaletteButton({ onPress }: { readonly onPress: () => void }) {
  const { t } = useTexts()
  return (
    <button
      type="button"
      class="palette-button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onPress}
    >
      <Icon name="search" />
      <span>{t.palette.open}</span>
      <span class="palette-button-keys" aria-hidden="true">
        <Keys keys="mod+k" />
      </span>
    </button>
  )
}
