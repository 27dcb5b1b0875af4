// Whether a tag is the version of package.json: `npm run release:version -- v1.2.3`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
if (tag !== `v${version}`) {
  console.error(`The tag is ${tag}, and package.json has version ${version}`)
  process.exitCode = 1
}
