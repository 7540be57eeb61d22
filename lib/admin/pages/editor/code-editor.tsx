// The text editor of a page, with the list of errors below. Each error links to its place.

import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { CodeParts } from './code-language.ts'
import type { CodeView } from './code-view.ts'
import type { GivenFiles } from './text-places.ts'
import { type Fault, openStmlChecker, stmlFaultText } from './stml-checker.ts'

export interface CodeEditorProps {
  readonly parts: CodeParts
  readonly name: string
  /** Initial text; later texts are set through the view. */
  readonly text: string
  readonly isReadOnly: boolean
  /** Work by key, such as Mod-b. */
  readonly keys?: Readonly<Record<string, () => void>>
  readonly onFiles?: (given: GivenFiles) => void
  readonly onChange: (text: string) => void
  readonly onView: (view: CodeView | undefined) => void
}

export function CodeEditor(props: CodeEditorProps) {
  const { name, isReadOnly, onView } = props
  const { t } = useTexts()
  const hint = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<CodeView>()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const latest = useRef(props)
  latest.current = props
  const check = useCheck(props, view)

  useEffect(() => {
    if (frame.current === null) return undefined
    const { parts, text, keys = {}, onFiles } = latest.current
    const made = parts.openCodeView({
      parent: frame.current,
      text,
      language: parts.extension,
      label: fill(t.editor.textOf, { name }),
      describedBy: hint,
      phrases: t.editor.phrases,
      keys: Object.fromEntries(
        Object.keys(keys).map((key) => [key, () => latest.current.keys?.[key]?.()]),
      ),
      onChange(next) {
        latest.current.onChange(next)
        check.current(next)
      },
      onFaults: setFaults,
      ...(onFiles !== undefined && { onFiles: (given) => latest.current.onFiles?.(given) }),
    })
    setView(made)
    onView(made)
    // Focuses an empty text, which the user wants to type into.
    if (text === '') made.focus()
    return () => {
      onView(undefined)
      made.close()
    }
  }, [t])
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly])

  return (
    <div class="code-editor">
      <div ref={frame} class="code-frame" />
      <FaultList faults={faults} onChoose={(fault) => view?.goTo(fault)} />
      <p id={hint} class="code-hint">
        {t.editor.tabHint}
      </p>
    </div>
  )
}

/** STML is checked by the server while the user types. */
function useCheck({ parts, text }: CodeEditorProps, view: CodeView | undefined) {
  const api = useApi()
  const { t } = useTexts()
  const check = useRef<(text: string) => void>(() => undefined)
  useEffect(() => {
    if (view === undefined || parts.language !== 'stml') return undefined
    const checker = openStmlChecker(api, (faults) =>
      view.setFaults(
        faults.map((fault) => ({ ...fault, detail: stmlFaultText(fault.detail, t.editor.stml) })),
      ),
    )
    check.current = checker.check
    checker.check(text)
    return checker.close
  }, [view])
  return check
}

interface FaultListProps {
  readonly faults: readonly Fault[]
  readonly onChoose: (fault: Fault) => void
}

/** Maximum number of listed errors. */
const MOST_SHOWN = 20

function FaultList({ faults, onChoose }: FaultListProps) {
  const { t, formats } = useTexts()
  return (
    <div class="faults" role="status">
      {faults.slice(0, MOST_SHOWN).map((fault) => (
        <button
          key={`${fault.line} ${fault.column} ${fault.detail}`}
          type="button"
          class="fault"
          onClick={() => onChoose(fault)}
        >
          <Icon name="alert" />
          <span class="fault-place">
            {fill(t.editor.place, {
              line: formats.number(fault.line),
              column: formats.number(fault.column),
            })}
          </span>
          <span>{fault.detail}</span>
        </button>
      ))}
    </div>
  )
}
