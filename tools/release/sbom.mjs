// The software bill of materials of what the build ships, into a folder: `npm run release:sbom -- dist`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../launch.mjs'
import { top } from '../test/run.mjs'
import { billOfMaterials } from './bill-of-materials.mjs'

const [given = 'dist'] = process.argv.slice(2)
const read = (path) => JSON.parse(readFileSync(join(top, path), 'utf8'))

await ensureBuilt()
const program = read('package.json')
const [, ...shipped] = read('out/licenses/packages.json')
const bill = billOfMaterials(program, read('package-lock.json'), shipped)
const file = join(given, `slipway-${program.version}.cdx.json`)
mkdirSync(given, { recursive: true })
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
console.log(`Wrote ${file}: ${shipped.length} packages`)
