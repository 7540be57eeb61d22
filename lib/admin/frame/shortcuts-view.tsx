// All keyboard shortcuts: global ones, those of the current page, and those of lists and forms.

import { useTexts } from '../texts/use-texts.ts'
import { useAllActions } from '../ui/actions.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FOLD_KEYS, Keys } from '../ui/shortcut.tsx'

export interface ShortcutsViewProps {
  readonly onClose: () => void
}

interface Shortcut {
  /** Alternatives; any of these keys works. */
  readonly keys: readonly string[]
  readonly text: string
}

export function ShortcutsView({ onClose }: ShortcutsViewProps) {
  const { t } = useTexts()
  const here = useAllActions()
    .all()
    .flatMap(({ text, keys }) => (keys === undefined ? [] : [{ text, keys: [keys] }]))
  const everywhere: readonly Shortcut[] = [
    { keys: ['mod+k'], text: t.shortcuts.palette },
    { keys: ['?'], text: t.shortcuts.list },
    { keys: [FOLD_KEYS], text: t.shortcuts.fold },
    { keys: ['Esc'], text: t.shortcuts.close },
  ]
  const lists: readonly Shortcut[] = [
    { keys: ['↑', '↓'], text: t.shortcuts.move },
    { keys: [t.shortcuts.space], text: t.shortcuts.select },
    { keys: [`${t.shortcuts.shift}+${t.shortcuts.space}`], text: t.shortcuts.range },
  ]
  const forms: readonly Shortcut[] = [
    { keys: ['mod+s', `mod+${t.shortcuts.enter}`], text: t.shortcuts.send },
  ]
  return (
    <Dialog title={t.shortcuts.title} onClose={onClose}>
      {here.length > 0 && <Shortcuts title={t.shortcuts.here} shortcuts={here} />}
      <Shortcuts title={t.shortcuts.everywhere} shortcuts={everywhere} />
      <Shortcuts title={t.shortcuts.lists} shortcuts={lists} />
      <Shortcuts title={t.shortcuts.forms} shortcuts={forms} />
    </Dialog>
  )
}

interface ShortcutsProps {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

function Shortcuts({ title, shortcuts }: ShortcutsProps) {
  return (
    <section class="shortcuts">
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((each) => (
                <Keys key={each} keys={each} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
