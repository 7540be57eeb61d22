// The toolbar above a text in Markdown or HTML. Arrow keys move between its buttons, so that it is one stop of Tab.
//
//   <TextToolbar onFormat={(format) => view.edit((marked) => formatText(format, { marked, language, words }))} />

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { isMac } from '../../ui/shortcut.tsx'
import { type Format, FORMATS } from './text-format.ts'

interface TextToolbarProps {
  readonly onFormat: (format: Format) => void
  /** Further controls beside the buttons. */
  readonly children?: ComponentChildren
}

/** The letters that, together with Ctrl, do the same as a button. */
export const FORMAT_KEYS: Readonly<Partial<Record<Format, string>>> = {
  bold: 'b',
  italic: 'i',
  link: 'k',
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function TextToolbar({ onFormat, children }: TextToolbarProps) {
  const { t } = useTexts()
  const { label, formats } = t.editor.toolbar
  const bar = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (active + step + FORMATS.length) % FORMATS.length
    setActive(next)
    bar.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div class="text-bar">
      <div ref={bar} class="text-tools" role="toolbar" aria-label={label}>
        {FORMATS.map((format, at) => {
          const key = FORMAT_KEYS[format]
          const shortcut = key === undefined ? '' : ` (${shortcutOf(key, t.frame.ctrl)})`
          return (
            <button
              key={format}
              type="button"
              class={`text-tool text-tool-${format}`}
              data-sign={SIGNS[format]}
              aria-label={formats[format]}
              aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
              title={formats[format] + shortcut}
              tabIndex={at === active ? 0 : -1}
              // Keeps the focus in the text.
              onMouseDown={(event) => event.preventDefault()}
              onFocus={() => setActive(at)}
              onKeyDown={onKey}
              onClick={() => onFormat(format)}
            >
              {ICONS[format]}
            </button>
          )
        })}
      </div>
      {children}
    </div>
  )
}

function shortcutOf(key: string, ctrl: string): string {
  return isMac() ? `⌘${key.toUpperCase()}` : `${ctrl}+${key.toUpperCase()}`
}

const LINK = 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1'

/** Shown by the style sheet, because the accessible name of a button would have to contain its text. */
const SIGNS: Readonly<Partial<Record<Format, string>>> = {
  heading1: 'H1',
  heading2: 'H2',
  heading3: 'H3',
  bold: 'B',
  italic: 'I',
  numbers: '1.',
  quote: '“ ”',
}

const ICONS: Readonly<Partial<Record<Format, ComponentChildren>>> = {
  link: (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={LINK} />
    </svg>
  ),
  list: <Icon name="list" />,
  code: <Icon name="code" />,
  table: <Icon name="table" />,
}
