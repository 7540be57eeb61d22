// The text of a column in the editor of pages: Markdown, HTML or JSON. The editor loads when a form has such a column.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import type { FieldParts } from '../../ui/field.tsx'
import { type CodeParts, loadCodeParts } from '../editor/code-language.ts'
import type { CodeView } from '../editor/code-view.ts'
import type { MarkupLanguage } from '../editor/text-format.ts'
import type { GivenFiles } from '../editor/text-places.ts'

/** Undefined while the editor loads, and "none" if it cannot be loaded. */
export function useCodeParts(language: MarkupLanguage | 'json'): CodeParts | 'none' | undefined {
  const [parts, setParts] = useState<CodeParts | 'none'>()
  useEffect(() => {
    loadCodeParts({ type: language, name: '' }).then(setParts, () => setParts('none'))
  }, [language])
  return parts
}

interface CodeFieldProps {
  readonly label: string
  readonly parts: CodeParts
  readonly field: FieldParts
  readonly value: string
  readonly change: (text: string) => void
  readonly isReadOnly: boolean
  /** Work by key, such as Mod-b. */
  readonly keys?: Readonly<Record<string, () => void>>
  /** Takes pasted and dropped files. */
  readonly onFiles?: (given: GivenFiles) => void
  readonly onView?: (view: CodeView | undefined) => void
}

export function CodeField(all: CodeFieldProps) {
  const { field, value, isReadOnly, onView } = all
  const { t } = useTexts()
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(all)
  latest.current = all
  const [view, setView] = useState<CodeView>()
  /** The text that the editor shows, with the line breaks of the value. */
  const shown = useRef(value)
  /** Typed texts that are not rendered yet: keystrokes can arrive faster than renders. */
  const typed = useRef<string[]>([])

  useEffect(() => {
    if (frame.current === null) return undefined
    const { parts, label, keys = {}, onFiles } = latest.current
    shown.current = latest.current.value
    const made = parts.openCodeView({
      parent: frame.current,
      text: shown.current,
      language: parts.extension,
      label,
      phrases: t.editor.phrases,
      isField: true,
      keys: Object.fromEntries(
        Object.keys(keys).map((key) => [key, () => latest.current.keys?.[key]?.()]),
      ),
      onChange(next) {
        const text = likeBefore(next, shown.current)
        if (text === shown.current) return
        shown.current = text
        typed.current.push(text)
        latest.current.change(text)
      },
      onFaults: () => undefined,
      ...(onFiles !== undefined && { onFiles: (given) => latest.current.onFiles?.(given) }),
    })
    setView(made)
    onView?.(made)
    return () => {
      onView?.(undefined)
      made.close()
    }
  }, [t])
  useEffect(() => {
    const at = typed.current.indexOf(value)
    typed.current.splice(0, at + 1)
    if (view === undefined || at >= 0 || value === shown.current) return
    shown.current = value
    view.setText(value.replaceAll('\r\n', '\n'))
  }, [view, value])
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly])
  // Before the form looks for the first invalid field.
  useLayoutEffect(
    () =>
      view?.setAttributes({
        id: field.id,
        'aria-invalid': String(field.isInvalid),
        ...(field.describedBy !== undefined && { 'aria-describedby': field.describedBy }),
      }),
    [view, field.id, field.isInvalid, field.describedBy],
  )
  return <div ref={frame} class="text-frame" />
}

/** The editor has one kind of line break; a text whose lines all end in CRLF keeps them. */
function likeBefore(text: string, before: string): string {
  const isWindows = before.includes('\r\n') && !/(?:^|[^\r])\n/.test(before)
  return isWindows ? text.replaceAll('\n', '\r\n') : text
}
