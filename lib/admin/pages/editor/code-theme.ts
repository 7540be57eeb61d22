// The editor theme, built from the design tokens of the area, so that light and dark mode work. The code colors are
// in editor.css.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const BUTTON = {
  minHeight: '1.75rem',
  margin: '0',
  padding: '0 0.5rem',
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--radius)',
  background: 'var(--raised)',
  color: 'var(--text)',
  font: '500 var(--small) / 1.25rem var(--font)',
  textTransform: 'none',
  cursor: 'pointer',
}

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--field)',
    color: 'var(--text)',
    fontSize: '0.8125rem',
  },
  // The surrounding frame shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.25rem', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--quiet)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { background: 'var(--code-selection)' },
  '.cm-content ::selection, .cm-line::selection': { backgroundColor: 'transparent' },
  '.cm-selectionMatch': { backgroundColor: 'var(--code-match)' },
  '.cm-searchMatch': { backgroundColor: 'var(--code-found)', outline: '1px solid var(--staged)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-selection)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: 'var(--code-match)',
    outline: '1px solid var(--line-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--danger-ground)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-panels': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text)',
    fontFamily: 'var(--font)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.375rem',
    padding: '0.5rem 2.5rem 0.5rem 0.5rem',
    fontSize: 'var(--small)',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""', display: 'block' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '0.25rem',
    margin: '0',
    fontSize: 'var(--small)',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', width: '1rem', height: '1rem' },
  '.cm-textfield': {
    flex: '1 1 10rem',
    maxWidth: '20rem',
    minHeight: '1.75rem',
    margin: '0 !important',
    padding: '0 0.5rem',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--field)',
    color: 'var(--text)',
    fontSize: 'var(--small)',
  },
  '.cm-textfield::placeholder': { color: 'var(--quiet)', opacity: '1' },
  '.cm-button': { ...BUTTON, backgroundImage: 'none', '&:active': { backgroundImage: 'none' } },
  '.cm-button:hover': { background: 'var(--hover)' },
  '.cm-panel.cm-search [name=close], .cm-dialog-close': {
    ...BUTTON,
    position: 'absolute',
    top: '0.5rem',
    right: '0.5rem',
    width: '1.75rem',
    borderColor: 'transparent',
    background: 'transparent',
    fontSize: '1.125rem',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '0.8125rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--solid)',
    color: 'var(--on-solid)',
  },
  '.cm-completionDetail': { color: 'inherit' },
  '.cm-diagnostic': { padding: '0.375rem 0.625rem', fontFamily: 'var(--font)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--staged)' },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--staged) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lint-marker-warning': {
    content: '""',
    width: '0.625rem',
    height: '0.625rem',
    margin: '0.3125rem 0.1rem',
    borderRadius: '2px',
    background: 'var(--staged)',
  },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--danger)' },
  '.cm-lint-marker-error': {
    content: '""',
    width: '0.625rem',
    height: '0.625rem',
    margin: '0.3125rem 0.1rem',
    borderRadius: '50%',
    background: 'var(--danger)',
  },
  // The merge view.
  '&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-insertedLine': {
    backgroundColor: 'var(--live-ground)',
  },
  '.cm-deletedChunk': { backgroundColor: 'var(--danger-ground)', paddingLeft: '0.75rem' },
  '&.cm-merge-b .cm-changedText, .cm-changedText': {
    background: 'var(--code-plus)',
    borderRadius: '2px',
  },
  '.cm-deletedChunk .cm-deletedText, &.cm-merge-b .cm-deletedText, .cm-deletedText': {
    background: 'var(--code-minus)',
    borderRadius: '2px',
  },
  '.cm-deletedChunk .cm-chunkButtons': {
    position: 'static',
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0.375rem',
    padding: '0.375rem 0',
  },
  '.cm-deletedChunk .cm-chunkButtons button': BUTTON,
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '.cm-changedLineGutter, &.cm-merge-b .cm-changedLineGutter': { background: 'var(--live)' },
  '.cm-deletedLineGutter': { background: 'var(--danger)' },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--quiet)',
    fontFamily: 'var(--font)',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
})

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  {
    tag: [tags.tagName, tags.definition(tags.variableName), tags.typeName],
    color: 'var(--accent)',
  },
  { tag: [tags.attributeName, tags.className, tags.labelName], color: 'var(--code-name)' },
  { tag: [tags.string, tags.attributeValue, tags.special(tags.string)], color: 'var(--live)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit], color: 'var(--staged)' },
  { tag: [tags.propertyName, tags.function(tags.variableName)], color: 'var(--code-property)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--quiet)' },
  { tag: [tags.regexp, tags.escape, tags.character], color: 'var(--code-name)' },
  { tag: tags.heading, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

export const CODE_THEME: Extension = [LOOK, syntaxHighlighting(COLORS)]
