// Whether a tag is the version of package.json: `npm run release:version -- v1.2.3`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkTag } from './version-tag.mjs'

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
const complaint = checkTag(tag, version)
if (complaint !== null) {
  console.error(complaint)
  process.exitCode = 1
}
