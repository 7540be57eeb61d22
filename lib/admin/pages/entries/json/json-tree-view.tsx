// A JSON value as a tree: objects and lists open and close, and each value has a kind, a field, and a button that
// removes it.

import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { fill } from '../../../texts/fill.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { InlineSelect } from '../../../ui/select.tsx'
import {
  addChild,
  FIRST_JSON,
  isJsonNumber,
  JSON_KINDS,
  type JsonChild,
  type JsonKind,
  type JsonNode,
  removeChild,
  renameChild,
  replaceNode,
} from './json-tree.ts'

interface JsonTreeViewProps {
  readonly label: string
  readonly text: string
  readonly root: JsonNode
  readonly isReadOnly: boolean
  readonly onChange: (text: string) => void
}

/** Children of one value that are shown; the text view has all of them. */
const MOST_SHOWN = 100

export function JsonTreeView(props: JsonTreeViewProps) {
  return (
    <div class="json-tree" role="group" aria-label={props.label}>
      <Value {...props} node={props.root} name={props.label} isOpenFirst />
    </div>
  )
}

interface ValueProps extends JsonTreeViewProps {
  readonly node: JsonNode
  readonly name: string
  /** The field of the name. */
  readonly head?: ComponentChildren
  /** Removes the value from its object or list. */
  readonly onRemove?: () => void
  readonly isOpenFirst?: boolean
}

function Value(props: ValueProps) {
  const { text, node, name, head, isReadOnly, onRemove, onChange, isOpenFirst } = props
  const { t } = useTexts()
  const words = t.entries.json
  const [isOpen, setIsOpen] = useState(isOpenFirst === true)
  const isList = node.kind === 'object' || node.kind === 'array'
  return (
    <>
      <div class="json-line">
        {isList && (
          <Button
            kind="quiet"
            icon={isOpen ? 'chevronDown' : 'chevronRight'}
            label={fill(words.expand, { name })}
            isExpanded={isOpen}
            onPress={() => setIsOpen(!isOpen)}
          />
        )}
        {head}
        {isReadOnly ? (
          !isList && <code class="json-value">{text.slice(node.start, node.end)}</code>
        ) : (
          <>
            <InlineSelect
              label={fill(words.kindOf, { name })}
              value={node.kind}
              options={JSON_KINDS.map((value) => ({ value, text: words.kinds[value] }))}
              onChange={(kind) => onChange(replaceNode(text, node, FIRST_JSON[kind as JsonKind]))}
            />
            <ScalarInput {...props} />
          </>
        )}
        {onRemove !== undefined && !isReadOnly && (
          <Button
            kind="quiet"
            icon="close"
            label={fill(words.remove, { name })}
            onPress={onRemove}
          />
        )}
      </div>
      {isList && isOpen && <Children {...props} />}
    </>
  )
}

function Children(props: ValueProps) {
  const { text, node, isReadOnly, onChange } = props
  const { t, formats } = useTexts()
  const words = t.entries.json
  const { children } = node
  const rest = children.length - MOST_SHOWN
  return (
    <div class="json-children">
      <ul>
        {children.slice(0, MOST_SHOWN).map((child, at) => {
          const name = child.name ?? fill(words.item, { number: formats.number(at + 1) })
          return (
            // oxlint-disable-next-line react/no-array-index-key -- names change while they are typed
            <li key={at}>
              <Value
                {...props}
                node={child.node}
                name={name}
                isOpenFirst={false}
                head={<NameInput {...props} child={child} name={name} />}
                onRemove={() => onChange(removeChild(text, node, at))}
              />
            </li>
          )
        })}
      </ul>
      {rest > 0 && <p class="quiet">{formats.count(words.more, rest)}</p>}
      {!isReadOnly && (
        <Button
          kind="quiet"
          icon="plus"
          label={fill(words.add, { name: props.name })}
          onPress={() => onChange(addChild(text, node))}
        />
      )}
    </div>
  )
}

interface NameInputProps extends ValueProps {
  readonly child: JsonChild
}

function NameInput({ text, node, child, name, isReadOnly, onChange }: NameInputProps) {
  const { t } = useTexts()
  const words = t.entries.json
  if (child.name === undefined || isReadOnly) return <span class="json-name">{name}</span>
  const others = node.children.filter((each) => each !== child).map((each) => each.name)
  return (
    <TypedInput
      label={fill(words.nameOf, { name })}
      value={child.name}
      check={(typed) => (others.includes(typed) ? words.nameTaken : undefined)}
      onChange={(typed) => onChange(renameChild(text, child, typed))}
    />
  )
}

/** The field of a text or a number, or the choice of true and false. */
function ScalarInput({ text, node, name, onChange }: ValueProps) {
  const { t } = useTexts()
  const words = t.entries.json
  const raw = text.slice(node.start, node.end)
  const label = fill(words.valueOf, { name })
  const set = (next: string): void => onChange(replaceNode(text, node, next))
  if (node.kind === 'boolean')
    return (
      <InlineSelect
        label={label}
        value={raw}
        options={[
          { value: 'true', text: t.entries.yes },
          { value: 'false', text: t.entries.no },
        ]}
        onChange={set}
      />
    )
  if (node.kind === 'number')
    return (
      <TypedInput
        label={label}
        value={raw}
        check={(typed) => (isJsonNumber(typed.trim()) ? undefined : words.noNumber)}
        onChange={(typed) => set(typed.trim())}
      />
    )
  if (node.kind !== 'string') return null
  return (
    <TypedInput
      label={label}
      value={String(JSON.parse(raw))}
      check={() => undefined}
      onChange={(typed) => set(JSON.stringify(typed))}
    />
  )
}

interface TypedInputProps {
  readonly label: string
  readonly value: string
  readonly check: (typed: string) => string | undefined
  readonly onChange: (typed: string) => void
}

/** Keeps a text that is not valid, without changing the value. */
function TypedInput({ label, value, check, onChange }: TypedInputProps) {
  const [typed, setTyped] = useState<string>()
  const id = useId()
  const fault = typed === undefined ? undefined : check(typed)
  return (
    <span class="json-input">
      <input
        class="input"
        aria-label={label}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : id}
        autoComplete="off"
        spellcheck={false}
        value={typed ?? value}
        onInput={({ currentTarget: { value: next } }) => {
          setTyped(next)
          if (check(next) === undefined) onChange(next)
        }}
        onBlur={() => {
          if (fault === undefined) setTyped(undefined)
        }}
      />
      {fault !== undefined && (
        <span id={id} class="field-fault">
          {fault}
        </span>
      )}
    </span>
  )
}
