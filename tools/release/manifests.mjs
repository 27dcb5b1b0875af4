// Manifests for winget, Homebrew and Flathub, from a release's SHA256SUMS: `npm run release:manifests -- dist manifests`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fillManifest, readChecksums, releaseValues } from './manifest.mjs'

const [dist = 'dist', target = 'manifests'] = process.argv.slice(2)
const top = join(import.meta.dirname, '..', '..')
const { version, repository } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
const checksums = readChecksums(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'))
const values = releaseValues({ version, repository: repository.url, checksums })
for (const folder of ['winget', 'homebrew', 'flathub'])
  for (const name of readdirSync(join(top, 'build', folder))) {
    const path = join(target, folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fillManifest(readFileSync(join(top, 'build', folder, name), 'utf8'), values))
    console.log(`Wrote ${path}`)
  }
