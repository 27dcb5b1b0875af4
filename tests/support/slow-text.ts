/** What a class or an escape of an expression may stand for. */
const samples: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\\w|[a-z]-[a-z]/, ['a', '_']],
  [/A-Z/, ['A']],
  [/\\d|0-9|1-9/, ['0', '1']],
  [/\\s/, [' ', '\n']],
  [/\\S|\[\^|\.|\\p/, ['a', '\t']],
  [/\\p\{M\}/, ['\u0301']],
  [/\\p\{C/, ['\u0001', '\u200b']],
  [/\\p\{Z/, ['\u2028']],
  [/\\p\{Lu\}/, ['A']],
  [/\\n/, ['\n']],
  [/\\r/, ['\r']],
  [/\\t/, ['\t']],
  [/\\x1b/, ['\x1b']],
  [/\\u20/, ['\u2010', '\u202a']],
]

/** What texts that may be slow for an expression are made of: its own words and signs, and one of each of its classes. */
function atomsOf({ source }: RegExp): readonly string[] {
  const plain = source.replaceAll(/\\(?:[bBdDsSwW]|[pP]\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2})/g, ' ')
  const words = plain.match(/[A-Za-z_]{2,}/g) ?? []
  const signs = plain.match(/[^\sA-Za-z_\\^$*+?()[\]{}|]/g) ?? []
  const escaped = [...plain.matchAll(/\\([^A-Za-z0-9])/g)].map(([, sign = '']) => sign)
  const classes = samples.flatMap(([shape, those]) => (shape.test(source) ? those : []))
  const letters = words.flatMap(([letter = '']) => letter)
  return [...new Set([...words, ...signs, ...escaped, ...classes, ...letters])]
}

/** Ends in which what was going to match does not: among them what a class leaves out. */
function endsOf({ source }: RegExp): readonly string[] {
  const leftOut = [...source.matchAll(/\[\^((?:\\.|[^\]\\])*)\]/g)].flatMap(([, inner = '']) =>
    Array.from(inner.replaceAll(/\\[A-Za-z]|\\/g, '')),
  )
  return [...new Set(['', '\0', '\n!', ...leftOut])]
}

/** Texts of a length that is given later: of the kinds that make an expression go back and try again. */
export function slowTexts(expression: RegExp): readonly ((length: number) => string)[] {
  const atoms = atomsOf(expression)
  const repeated = (start: string, atom: string, end: string) => (length: number) =>
    start + atom.repeat(Math.ceil(length / atom.length)) + end
  return endsOf(expression).flatMap((end) =>
    atoms.flatMap((one) => [
      repeated('', one, end),
      ...atoms.flatMap((other) =>
        other === one ? [] : [repeated('', one + other, end), repeated(other, one, end)],
      ),
    ]),
  )
}

/** Milliseconds for looking the whole text through once. */
function msFor(expression: RegExp, text: string): number {
  expression.lastIndex = 0
  const begun = performance.now()
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
  return performance.now() - begun
}

/** The least of some tries: what else the machine does only adds to it. */
function leastMs(expression: RegExp, text: string): number {
  return Math.min(...[1, 2, 3, 4, 5].map(() => msFor(expression, text)))
}

/** In growing steps, so that one that is worse than quadratic is seen before it takes for ever. */
const steps = [24, 40, 400, 4000] as const
/** What takes less is not worth a closer look, and would measure the machine. */
const suspiciousMs = 0.6
const longLength = 12_000

/** Ten for what is linear, a hundred for what is quadratic. */
export const mostGrowth = 15

/**
 * How many times longer the expression takes for ten times as much text, where that is worth measuring. 1 where all of
 * it is fast.
 */
export function growthOf(expression: RegExp, text: (length: number) => string): number {
  const slow = steps.find((length) => msFor(expression, text(length)) > suspiciousMs)
  if (slow === undefined) return 1
  const length = slow === steps.at(-1) ? longLength : slow
  const growth = (): number => {
    const ms = leastMs(expression, text(length))
    return ms < suspiciousMs ? 1 : ms / leastMs(expression, text(length / 10))
  }
  let least = growth()
  // What else the machine does comes and goes. What grew a lot is most likely slow itself, and then takes long: one more
  // look will do.
  for (let more = least < 5 * mostGrowth ? 3 : 1; more > 0 && least > mostGrowth; more -= 1)
    least = Math.min(least, growth())
  return least
}
