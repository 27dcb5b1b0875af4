import ts from 'typescript'
import { scriptOf, sourceFiles } from './source-files.ts'

/** A regular expression as it stands in the source. */
export interface FoundExpression {
  readonly file: string
  /** `null` for one that is put together at run time. */
  readonly expression: RegExp | null
  readonly text: string
}

/** Every regular expression of main and window. */
export function regularExpressions(): readonly FoundExpression[] {
  return sourceFiles().flatMap((file) => expressionsIn(file, scriptOf(file)))
}

/** @param script TypeScript */
export function expressionsIn(file: string, script: string): readonly FoundExpression[] {
  const found: FoundExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, expression: literal(node), text: node.text })
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && node.expression.getText() === 'RegExp')
      found.push({ file, expression: null, text: node.getText() })
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('script.ts', script, ts.ScriptTarget.Latest, true))
  return found
}

function literal({ text }: ts.RegularExpressionLiteral): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}
