import ts from 'typescript'
import { parse, type SFCTemplateBlock } from 'vue/compiler-sfc'
import { blanked, proseIn } from '../docs/pages.ts'

/** What a user meets of a file: a label, a sentence, a page's prose. */
export interface ShownText {
  /** Where it begins in the file. */
  readonly at: number
  /** As it stands in the file, line by line, without what is code in it. */
  readonly text: string
}

type TemplateNode = NonNullable<SFCTemplateBlock['ast']>['children'][number]
type Property = Extract<TemplateNode, { readonly tag: string }>['props'][number]

/**
 * @param file its ending says how it is read: `.vue`, `.md`, or TypeScript
 * @param source what stands in it
 */
export function shownTexts(file: string, source: string): readonly ShownText[] {
  if (file.endsWith('.md')) return [{ at: 0, text: pageProse(source) }]
  if (!file.endsWith('.vue')) return literalsIn(source, 0)
  const { descriptor } = parse(source, { sourceMap: false, templateParseOptions: { comments: false } })
  return [
    ...[descriptor.script, descriptor.scriptSetup].flatMap((script) =>
      script === null ? [] : literalsIn(script.content, script.loc.start.offset),
    ),
    ...(descriptor.template?.ast?.children ?? []).flatMap(templateTexts),
  ]
}

/** Without quoted code, addresses, and markup. */
function pageProse(source: string): string {
  return blanked(proseIn(source), /`[^`\n]+`|\]\([^)\s]*\)|<[^>\n]*>/g)
}

/** Texts between tags, in attributes, and in the expressions of both. */
function templateTexts(node: TemplateNode): readonly ShownText[] {
  if ('tag' in node) return [...node.props.flatMap(propertyTexts), ...node.children.flatMap(templateTexts)]
  if (!('content' in node)) return []
  const { content, loc } = node
  if (typeof content === 'string') return [{ at: loc.start.offset, text: loc.source }]
  return expressionTexts(content.loc)
}

function propertyTexts(property: Property): readonly ShownText[] {
  if ('exp' in property) return property.exp ? expressionTexts(property.exp.loc) : []
  if (!('value' in property) || !property.value || property.name === 'class') return []
  return proseOnly({ at: property.value.loc.start.offset, text: property.value.content })
}

function expressionTexts({ start, source }: TemplateNode['loc']): readonly ShownText[] {
  // An object is one only within parentheses.
  return literalsIn(`(${source})`, start.offset - 1)
}

/** String and template literals, without those of types, imports, and keys. @param from where it begins in its file */
function literalsIn(script: string, from: number): readonly ShownText[] {
  const found: ShownText[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))
      found.push({ at: from + node.getStart(file), text: literalText(node, file) })
    ts.forEachChild(node, (child) => {
      if (!(ts.isPropertyAssignment(node) && child === node.name)) visit(child)
    })
  }
  const file = ts.createSourceFile('script.ts', script, ts.ScriptTarget.Latest)
  visit(file)
  return found.flatMap(proseOnly)
}

/** A template's expressions are left out: what is a text in them is a literal of its own. */
function literalText(node: ts.Node, file: ts.SourceFile): string {
  const start = node.getStart(file)
  let text = node.getText(file)
  if (ts.isTemplateExpression(node))
    for (const { expression } of node.templateSpans) {
      const [from, to] = [expression.pos - start, expression.end - start]
      text = text.slice(0, from) + text.slice(from, to).replaceAll(/[^\n]/g, '…') + text.slice(to)
    }
  return text
}

/** One word in lower case is a code. */
function proseOnly(shown: ShownText): readonly ShownText[] {
  return /\s|^\W*[A-Z]/.test(shown.text) ? [shown] : []
}
