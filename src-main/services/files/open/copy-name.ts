import { whyNotAFileName, type NameRules } from '../../../domain/files/file-name.ts'

/**
 * Extensions by which editors know a language or a format, and by which no system starts anything; lower case. Others, as
 * `.desktop`, `.command`, or `.exe`, get `.txt` behind them.
 */
const harmless = new Set(
  [
    'bib c cc cfg cfr cl clj cmake conf cpp cs css csv cu cuh cxx dart diff env erl ex exs f90 fs geojson gitignore go',
    'gql graphql h hcl hh hpp hs htm html ini ipynb java jinja jpeg jpg json json5 jsonl jsx kt less lock log lua m md',
    'ml mojo ndjson nim nix patch php pl png proto py pyi pyx r rb rs rst sass scala scss sh sql svelte swift tex tf tfvars',
    'toml ts tsv tsx txt vue webp xml yaml yml zig js mjs cjs',
  ].flatMap((line) => line.split(' ')),
)

/** Of those: what Windows starts, alone or with what is often installed on it. */
const startedOnWindows = new Set('htm html js cjs mjs php pl py rb sh'.split(' '))

const longestName = 100
/** In bytes of UTF-8: file systems take 255 for a name, and what Slipway and programs write first has a longer one. */
const longestBytes = 180

/**
 * The name of the copy of a file that a stranger named: no hidden file, which programs take for settings of the folder,
 * nothing that a program could take for an option, and nothing that a system starts by its extension.
 */
export function copyName(name: string, rules: NameRules): string {
  let plain = name
    .toWellFormed()
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    .replace(/^[. -]+/u, (start) => '_'.repeat(start.length))
  while (/[. ]$/.test(plain)) plain = plain.slice(0, -1)
  const dot = plain.lastIndexOf('.')
  const extension = dot > 0 ? plain.slice(dot + 1) : ''
  const isKept =
    harmless.has(extension.toLowerCase()) &&
    !(rules === 'win32' && startedOnWindows.has(extension.toLowerCase()))
  const [stem, end] = isKept
    ? [plain.slice(0, dot), `.${extension}`]
    : [plain, extension === '' ? '' : '.txt']
  const whole = `${shortStem(stem)}${end}`
  // By Windows' rules everywhere: their names of devices mean nothing good elsewhere.
  return whyNotAFileName(whole, 'win32') === null
    ? whole
    : `_${Array.from(stem).slice(0, 40).join('').trim()}.txt`
}

function shortStem(stem: string): string {
  const characters = Array.from(stem).slice(0, longestName)
  while (Buffer.byteLength(characters.join('')) > longestBytes) characters.pop()
  return characters.join('').trimEnd()
}
