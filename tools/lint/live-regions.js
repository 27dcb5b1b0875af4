const conditions = new Set(['if', 'else-if', 'else', 'show'])

/** What an attribute is called, written plainly or bound. */
const nameOf = ({ directive, key }) => {
  if (!directive) return key.name
  return key.name.name === 'bind' && key.argument?.type === 'VIdentifier' ? key.argument.name : null
}

/** What a bound attribute is given, as it is written there. */
const sourceOf = (attribute, context) =>
  attribute.directive
    ? context.sourceCode.getText(attribute.value?.expression ?? undefined)
    : (attribute.value?.value ?? '')

function isLive(element, context) {
  if (element.rawName === 'LiveRegion') return true
  return element.startTag.attributes.some((attribute) => {
    const name = nameOf(attribute)
    if (name === 'role') return /\bstatus\b/.test(sourceOf(attribute, context))
    return name === 'aria-live' && !/^\W*off\W*$/.test(sourceOf(attribute, context))
  })
}

/** For the window: a live region is there before its text. Most screen readers tell nothing of one that comes with it. */
export const liveRegions = {
  meta: {
    type: 'problem',
    docs: { description: 'A live region is there before its text' },
    schema: [],
    messages: {
      conditional:
        'A live region that comes and goes with v-{{condition}} is not told aloud: most screen readers tell only what ' +
        'changes in one that they know. Keep it, and put the condition inside: LiveRegion of src-renderer/ui/ takes no room.',
    },
  },
  create(context) {
    return context.sourceCode.parserServices.defineTemplateBodyVisitor({
      VElement(element) {
        const { attributes } = element.startTag
        const condition = attributes.find(({ directive, key }) => directive && conditions.has(key.name.name))
        if (condition === undefined || !isLive(element, context)) return
        const data = { condition: condition.key.name.name }
        context.report({ node: condition, messageId: 'conditional', data })
      },
    })
  },
}
