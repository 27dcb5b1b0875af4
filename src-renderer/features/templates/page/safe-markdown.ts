import MarkdownIt, { type Token } from 'markdown-it'

/**
 * Markdown that a stranger wrote. Nothing is loaded: HTML in it is text, a picture is its description, and a link's
 * address is kept aside in `data-link` for the one who asks before it is opened.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 })

markdown.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at]
  return `<span data-picture>${markdown.utils.escapeHtml(`[picture: ${token?.content || 'without a description'}]`)}</span>`
}
markdown.renderer.rules['link_open'] = (tokens, at) => {
  const address = addressOf(String(tokens[at]?.attrGet('href') ?? ''))
  return address === null ? '<span>' : `<a data-link="${markdown.utils.escapeHtml(address)}">`
}
markdown.renderer.rules['link_close'] = (tokens, at) => {
  const opened = tokens
    .slice(0, at)
    .findLast(({ type, level }) => type === 'link_open' && level === tokens[at]?.level)
  return addressOf(String(opened?.attrGet('href') ?? '')) === null ? '</span>' : '</a>'
}

/** Longest address that can be opened (`desktop/safe-shell.ts`). */
const longestAddress = 2048

/** An address of the web, spelled out; `null` for all others, such as `javascript:`. */
function addressOf(written: string): string | null {
  if (written.length > longestAddress || !URL.canParse(written)) return null
  const { protocol, username, password, href } = new URL(written)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? href : null
}

/** What a window can lay out at once without being noticed. */
const mostTokens = 4_000

/**
 * The text as HTML, still to be cleaned by what puts it on the page; `null` where it is made of more elements
 * than can be drawn at once.
 */
export function markdownHtml(text: string): string | null {
  const env = {}
  const tokens = markdown.parse(withoutOverrides(text), env)
  return countOf(tokens) > mostTokens ? null : markdown.renderer.render(tokens, markdown.options, env)
}

function countOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0)
}

/** Marks that would show a text in another order than it is in. */
function withoutOverrides(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '�')
}
