// The input of a column of Markdown or HTML: an editor with a toolbar and a preview, which load when a form has such
// a column. Without them, the text has a plain field.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, type FieldParts, type Labelled } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { type CodeParts, loadCodeParts } from '../editor/code-language.ts'
import type { CodeView } from '../editor/code-view.ts'
import { type Format, FORMATS, formatText, type MarkupLanguage } from '../editor/text-format.ts'
import { TextPreview } from '../editor/text-preview.tsx'
import { FORMAT_KEYS, TextToolbar } from '../editor/text-toolbar.tsx'

interface MarkupInputProps extends Labelled {
  readonly name: string
  readonly language: MarkupLanguage
  readonly isReadOnly: boolean
}

export function MarkupInput(props: MarkupInputProps) {
  const { language, isReadOnly } = props
  const { t } = useTexts()
  const { value, fault, change } = useBound<string>(props, '')
  const parts = useCodeParts(language)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const view = useRef<CodeView>()
  if (parts === 'none') return <TextInput {...props} rows={6} />

  function format(wanted: Format): void {
    const words = t.editor.toolbar
    view.current?.edit((marked) => formatText(wanted, { marked, language, words }))
  }

  const toggle = (
    <Button
      kind="quiet"
      icon="eye"
      isPressed={isPreviewed}
      onPress={() => setIsPreviewed(!isPreviewed)}
    >
      {t.editor.preview}
    </Button>
  )
  return (
    <div class="text-field">
      <Field {...props} fault={fault}>
        {(field) => (
          <div class="text-editor">
            {isReadOnly ? (
              <div class="text-bar">{toggle}</div>
            ) : (
              <TextToolbar onFormat={format}>{toggle}</TextToolbar>
            )}
            {parts === undefined ? (
              <Skeleton lines={4} />
            ) : (
              <MarkupText
                {...{ props, parts, field, value, change, format }}
                onView={(made) => (view.current = made)}
              />
            )}
            {isPreviewed && parts !== undefined && (
              <TextPreview text={value} toPage={parts.toPage} />
            )}
          </div>
        )}
      </Field>
    </div>
  )
}

/** Undefined while the editor loads, and "none" if it cannot be loaded. */
function useCodeParts(language: MarkupLanguage): CodeParts | 'none' | undefined {
  const [parts, setParts] = useState<CodeParts | 'none'>()
  useEffect(() => {
    loadCodeParts({ type: language, name: '' }).then(setParts, () => setParts('none'))
  }, [language])
  return parts
}

interface MarkupTextProps {
  readonly props: MarkupInputProps
  readonly parts: CodeParts
  readonly field: FieldParts
  readonly value: string
  readonly change: (text: string) => void
  readonly format: (format: Format) => void
  readonly onView: (view: CodeView | undefined) => void
}

function MarkupText(all: MarkupTextProps) {
  const { props, field, value, onView } = all
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
    const { parts, props: own } = latest.current
    shown.current = latest.current.value
    const made = parts.openCodeView({
      parent: frame.current,
      text: shown.current,
      language: parts.extension,
      label: own.label,
      phrases: t.editor.phrases,
      isField: true,
      keys: keysFor((format) => latest.current.format(format)),
      onChange(next) {
        const text = likeBefore(next, shown.current)
        if (text === shown.current) return
        shown.current = text
        typed.current.push(text)
        latest.current.change(text)
      },
      onFaults: () => undefined,
    })
    setView(made)
    onView(made)
    return () => {
      onView(undefined)
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
  useEffect(() => view?.setReadOnly(props.isReadOnly), [view, props.isReadOnly])
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

/** The shortcuts of the toolbar as keys of the editor. */
function keysFor(format: (format: Format) => void): Readonly<Record<string, () => void>> {
  const shortcuts = FORMATS.flatMap((each) => {
    const key = FORMAT_KEYS[each]
    return key === undefined ? [] : [[`Mod-${key}`, () => format(each)] as const]
  })
  return Object.fromEntries(shortcuts)
}

/** The editor has one kind of line break; a text whose lines all end in CRLF keeps them. */
function likeBefore(text: string, before: string): string {
  const isWindows = before.includes('\r\n') && !/(?:^|[^\r])\n/.test(before)
  return isWindows ? text.replaceAll('\n', '\r\n') : text
}
