import { StreamLanguage, type LanguageSupport } from '@codemirror/language'

type Language = LanguageSupport | StreamLanguage<unknown>

/** What people edit on instances, each loaded when it's first met. */
const languages: readonly { readonly names: RegExp; readonly load: () => Promise<Language> }[] = [
  {
    names: /\.(?:py|pyi|pyw)$/i,
    load: async () => (await import('@codemirror/lang-python')).python(),
  },
  {
    names: /\.(?:json|jsonl|ipynb|webmanifest)$/i,
    load: async () => (await import('@codemirror/lang-json')).json(),
  },
  {
    names: /\.(?:ya?ml)$/i,
    load: async () => (await import('@codemirror/lang-yaml')).yaml(),
  },
  {
    names: /\.(?:md|markdown)$/i,
    load: async () => (await import('@codemirror/lang-markdown')).markdown(),
  },
  {
    names:
      /\.(?:sh|bash|zsh|env|profile)$|^\.(?:bashrc|bash_profile|bash_aliases|profile|zshrc|zshenv|env)$/i,
    load: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell),
  },
]

/** How a text is highlighted, by its file's name; `null` for plain text. */
export async function languageOf(name: string): Promise<Language | null> {
  return (await languages.find(({ names }) => names.test(name))?.load()) ?? null
}
