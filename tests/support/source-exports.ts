import { ownFile } from './source-imports.ts'

/** Files and what is TypeScript in them, by their paths from the project's top. */
export type Scripts = ReadonlyMap<string, string>

const declaration =
  /^export (?:declare )?(?:async )?(const|function\*?|(?:abstract )?class|interface|type) (\w+)/gm
/** As Prettier writes them: the names of one stand in one pair of braces. */
const named = /^(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from '([^']+)'/gm
const whole = /(?:\* (?:as \w+ )?from |\bimport\()'([^']+)'/g

/**
 * The exports that the product does not need: nothing but tests uses them, or nothing outside their own file. A value
 * that its own file uses may be exported for a test of it; a type, so that others can name what they are given.
 *
 * @param sources of the product: main and window
 * @param others what else may use them, such as tools
 * @returns file and name of each
 */
export function deadExports(
  sources: Scripts,
  { others, tests }: { readonly others: Scripts; readonly tests: Scripts },
): readonly string[] {
  const usedByProduct = usesIn(new Map([...sources, ...others]))
  const usedByTests = usesIn(tests)
  return [...sources].flatMap(([file, script]) =>
    [...script.matchAll(declaration)].flatMap(([, kind = '', name = '']) => {
      const isUsed = (uses: ReadonlySet<string>): boolean => uses.has(`${file} ${name}`) || uses.has(file)
      if (isUsed(usedByProduct)) return []
      const isUsedHere = (script.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
      const isType = kind === 'interface' || kind === 'type'
      return isUsedHere && (isType || isUsed(usedByTests)) ? [] : [`${file} ${name}`]
    }),
  )
}

/** Each imported name with its file; the file alone where all of it is imported. */
function usesIn(scripts: Scripts): ReadonlySet<string> {
  const uses = new Set<string>()
  for (const [file, script] of scripts) {
    for (const [, names = '', specifier = ''] of script.matchAll(named))
      for (const name of names.split(','))
        uses.add(
          `${ownFile(specifier, file)} ${
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0]
          }`,
        )
    for (const [, specifier = ''] of script.matchAll(whole)) uses.add(`${ownFile(specifier, file)}`)
  }
  return uses
}
