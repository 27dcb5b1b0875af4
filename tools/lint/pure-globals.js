/** Names outside the language that Node and every browser have with the same meaning, and that do no I/O. */
const everywhere = new Set([
  'AbortController',
  'AbortSignal',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
])

/** For domain/: no global of Node or of the DOM, in code or in types. ESLint and the parser know the language's own. */
export const pureGlobals = {
  meta: {
    type: 'problem',
    docs: { description: 'Pure code uses nothing but the language itself' },
    schema: [],
    messages: {
      impure:
        "'{{name}}' belongs to Node or to the DOM, and domain/ runs in both worlds. Take it as an argument " +
        '(time: Clock of domain/base/clock.ts), or move this code into a service.',
    },
  },
  create(context) {
    return {
      'Program:exit'(node) {
        for (const { identifier } of context.sourceCode.getScope(node).through) {
          const { name } = identifier
          if (!everywhere.has(name)) context.report({ node: identifier, messageId: 'impure', data: { name } })
        }
      },
    }
  },
}
