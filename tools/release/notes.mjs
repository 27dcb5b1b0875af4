// A version's own part of CHANGELOG.md: `npm run release:notes -- 1.2.3`; without that part it fails.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notesOf } from './changelog.mjs'

const [version = ''] = process.argv.slice(2)
const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
console.log(notesOf(changelog, version.replace(/^v/, '')))
