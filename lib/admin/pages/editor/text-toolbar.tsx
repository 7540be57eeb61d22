// The toolbar above a text in Markdown, HTML or STML. Arrow keys move between its buttons, so that it is one stop of Tab.
//
//   <TextToolbar onFormat={(format) => view.edit((marked) => formatText(format, { marked, language, words }))} />

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { isMac } from '../../ui/shortcut.tsx'
import { type Format, FORMATS } from './text-format.ts'

export type Insert = 'image' | 'file'

interface TextToolbarProps {
  readonly onFormat: (format: Format) => void
  /** Opens the dialog that chooses a picture, or a page or file to link to. */
  readonly onInsert: (insert: Insert) => void
  /** Further controls beside the buttons. */
  readonly children?: ComponentChildren
}

/** The letters that, together with Ctrl, do the same as a button. */
const FORMAT_KEYS: Readonly<Partial<Record<Format, string>>> = {
  bold: 'b',
  italic: 'i',
  link: 'k',
}

/** The shortcuts of the toolbar as keys of the editor. */
export function formatKeys(format: (format: Format) => void): Readonly<Record<string, () => void>> {
  const shortcuts = FORMATS.flatMap((each) => {
    const key = FORMAT_KEYS[each]
    return key === undefined ? [] : [[`Mod-${key}`, () => format(each)] as const]
  })
  return Object.fromEntries(shortcuts)
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function TextToolbar({ onFormat, onInsert, children }: TextToolbarProps) {
  const { t } = useTexts()
  const { label } = t.editor.toolbar
  const bar = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const tools = useTools({ onFormat, onInsert })

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (active + step + tools.length) % tools.length
    setActive(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div class="text-bar">
      <div ref={bar} class="text-tools" role="toolbar" aria-label={label}>
        {tools.map(({ name, text, key, onPress }, at) => (
          <button
            key={name}
            type="button"
            class={`text-tool text-tool-${name}`}
            data-sign={SIGNS[name]}
            aria-label={text}
            aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
            title={key === undefined ? text : `${text} (${shortcutOf(key, t.frame.ctrl)})`}
            tabIndex={at === active ? 0 : -1}
            // Keeps the focus in the text.
            onMouseDown={(event) => event.preventDefault()}
            onFocus={() => setActive(at)}
            onKeyDown={onKey}
            onClick={onPress}
          >
            {ICONS[name]}
          </button>
        ))}
      </div>
      {children}
    </div>
  )
}

function useTools({ onFormat, onInsert }: TextToolbarProps) {
  const { t } = useTexts()
  const { formats } = t.editor.toolbar
  return [
    ...FORMATS.map((name) => ({
      name,
      text: formats[name],
      key: FORMAT_KEYS[name],
      onPress: () => onFormat(name),
    })),
    ...(['image', 'file'] as const).map((name) => ({
      name,
      text: name === 'image' ? t.picking.insertImage : t.picking.linkToFile,
      key: undefined,
      onPress: () => onInsert(name),
    })),
  ]
}

function shortcutOf(key: string, ctrl: string): string {
  return isMac() ? `⌘${key.toUpperCase()}` : `${ctrl}+${key.toUpperCase()}`
}

const LINK = 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1'

/** Shown by the style sheet, because the accessible name of a button would have to contain its text. */
const SIGNS: Readonly<Partial<Record<Format | Insert, string>>> = {
  heading1: 'H1',
  heading2: 'H2',
  heading3: 'H3',
  bold: 'B',
  italic: 'I',
  numbers: '1.',
  quote: '“ ”',
}

const ICONS: Readonly<Partial<Record<Format | Insert, ComponentChildren>>> = {
  link: (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={LINK} />
    </svg>
  ),
  list: <Icon name="list" />,
  code: <Icon name="code" />,
  table: <Icon name="table" />,
  image: <Icon name="image" />,
  file: <Icon name="file" />,
}
