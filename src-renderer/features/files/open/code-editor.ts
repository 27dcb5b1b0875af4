import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { languageOf } from './code-language.ts'
import { indentOf, textFormOf, wholeText, withLineEnds, type TextForm } from './text-form.ts'

export interface CodeEditorOptions {
  readonly parent: HTMLElement
  /** Of the file: it tells the language. */
  readonly name: string
  /** What is shown first; it says how lines end, and one line alone leaves that to what is saved. */
  readonly text: string
  /** What the file holds; `null` where that's no text, or unknown. */
  readonly saved: string | null
  readonly isReadOnly: boolean
  readonly label: string
  readonly onChange: () => void
  readonly onSave: () => void
}

/** One text in an editor. */
export interface CodeEditor {
  /** All of it, as it would be saved. */
  readonly text: () => string
  /** What is there now, and what marks just that as saved. */
  readonly take: () => { readonly text: string; readonly markSaved: () => void }
  /** Whether it's what was saved. */
  readonly isSaved: () => boolean
  readonly focus: () => void
  readonly dispose: () => void
}

/** What reorders or hides text is shown as a mark, besides what the library knows. */
const hiddenCharacters = /[\u202a-\u202c\u2068\u2060-\u2064]/

/** Makes an editor of a text. Its language comes later, when it's loaded. */
export function createCodeEditor(options: CodeEditorOptions): CodeEditor {
  const { parent, name, isReadOnly, label, onChange, onSave } = options
  const language = new Compartment()
  const { form, edited } = textFormOf(options.text, options.saved ?? options.text)
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: edited,
      extensions: [
        EditorState.lineSeparator.of(form.lineEnd),
        EditorView.clipboardInputFilter.of((text) => withLineEnds(text, form)),
        EditorView.contentAttributes.of({
          'aria-label': label,
          ...(isReadOnly && { 'aria-readonly': 'true' }),
          spellcheck: 'false',
        }),
        EditorState.readOnly.of(isReadOnly),
        EditorState.phrases.of(phrases),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange()
        }),
        [lineNumbers(), highlightActiveLine(), highlightActiveLineGutter()],
        highlightSpecialChars({ addSpecialChars: hiddenCharacters }),
        [history(), indentOnInput(), bracketMatching(), highlightSelectionMatches(), search({ top: true })],
        indentUnit.of(indentOf(edited, /\.py$/i.test(name))),
        keymap.of([
          { key: 'Mod-s', run: () => (onSave(), true), preventDefault: true },
          ...searchKeymap,
          ...historyKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        [look, syntaxHighlighting(colors)],
        language.of([]),
      ],
    }),
  })
  let isDisposed = false
  void languageOf(name).then(
    (found) => {
      if (found !== null && !isDisposed) view.dispatch({ effects: language.reconfigure(found) })
    },
    () => undefined, // it stays plain text
  )
  let saved = docIn(view, form, options.saved)

  return {
    text: () => textOf(view, form),
    take: () => {
      const { doc } = view.state
      return { text: textOf(view, form), markSaved: () => (saved = doc) }
    },
    isSaved: () => saved?.eq(view.state.doc) ?? false,
    focus: () => view.focus(),
    dispose: () => {
      isDisposed = true
      view.destroy()
    },
  }
}

/** `null` for one in another form: nothing that the editor holds is equal to it. */
function docIn(view: EditorView, form: TextForm, text: string | null): Text | null {
  if (text === null) return null
  const other = textFormOf(text)
  const isSame = other.form.hasMark === form.hasMark && other.form.lineEnd === form.lineEnd
  return isSame ? view.state.toText(other.edited) : null
}

function textOf(view: EditorView, form: TextForm): string {
  return wholeText(form, view.state.sliceDoc())
}

/** Of the search panel: the library's own are lower case. */
const phrases = {
  Find: 'Find',
  Replace: 'Replace with',
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  'by word': 'Whole words',
  regexp: 'Regular expression',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
}

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ui-text)', backgroundColor: 'var(--ui-bg)' },
  // What is around it has the mark.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    lineHeight: '20px',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--ui-text-highlighted)' },
  '.cm-gutters': {
    backgroundColor: 'var(--ui-bg-muted)',
    color: 'var(--ui-text-muted)',
    borderRight: '1px solid var(--ui-border)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '3.5ch' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in oklab, var(--ui-text) 5%, transparent)',
  },
  // Colors of the language aren't made for these grounds.
  '.cm-searchMatch *, .cm-selectionMatch *': { color: 'var(--ui-text-highlighted) !important' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in oklab, var(--ui-primary) 15%, transparent)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in oklab, var(--ui-warning) 25%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in oklab, var(--ui-warning) 50%, transparent)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in oklab, var(--ui-primary) 25%, transparent)',
  },
  '.cm-specialChar': { color: 'var(--ui-error)' },
  '.cm-panels': { backgroundColor: 'var(--ui-bg-elevated)', color: 'var(--ui-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--ui-border)' },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px', fontFamily: 'var(--font-sans)' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    fontSize: '12px',
    marginRight: '8px',
    verticalAlign: 'middle',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--ui-primary)' },
  '.cm-panel.cm-search [name=close]': { fontSize: '18px', top: '4px', right: '8px' },
  '.cm-textfield:focus-visible': { outline: '2px solid var(--ui-primary)' },
  '.cm-textfield': {
    color: 'var(--ui-text)',
    backgroundColor: 'var(--ui-bg)',
    border: '1px solid var(--ui-border-accented)',
    borderRadius: '4px',
    fontSize: '13px',
    height: '28px',
  },
  '.cm-button': {
    color: 'var(--ui-text)',
    backgroundImage: 'none',
    backgroundColor: 'var(--ui-bg)',
    border: '1px solid var(--ui-border-accented)',
    borderRadius: '4px',
    fontSize: '12px',
    height: '28px',
  },
})

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--ui-primary)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ui-success)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--ui-warning)' },
  {
    tag: [tags.propertyName, tags.attributeName, tags.definition(tags.variableName)],
    color: 'var(--ui-info)',
  },
  { tag: [tags.comment, tags.meta], color: 'var(--ui-text-muted)', fontStyle: 'italic' },
  { tag: [tags.heading, tags.strong], fontWeight: 'bold', color: 'var(--ui-text-highlighted)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--ui-error)' },
])
