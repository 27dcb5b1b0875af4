// Signs what electron-builder left in a folder for the app to find: `npm run release:sign -- dist`. The key is in
// SLIPWAY_UPDATE_PRIVATE_KEY; `npm run release:sign -- --new-key` makes one.
import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicKeyOf, signedReleaseFiles } from './release-file.mjs'

const [given = 'dist'] = process.argv.slice(2)
if (given === '--new-key') {
  const { privateKey } = generateKeyPairSync('ed25519')
  const base64 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  console.log(`SLIPWAY_UPDATE_PRIVATE_KEY=${base64}`)
  console.log(`SLIPWAY_UPDATE_PUBLIC_KEY=${publicKeyOf(base64)}`)
} else signAll(given)

function signAll(folder) {
  const key = process.env['SLIPWAY_UPDATE_PRIVATE_KEY']
  if (!key) throw new Error('SLIPWAY_UPDATE_PRIVATE_KEY is not set')
  const files = readdirSync(folder)
  const latest = files.filter((name) => /^latest.*\.yml$/.test(name))
  // Those of a release are made of its latest*.yml.
  const found = latest.length > 0 ? latest : files.filter((name) => /^beta.*\.yml$/.test(name))
  if (found.length === 0) throw new Error(`There is no latest*.yml or beta*.yml in ${folder}`)
  for (const given of found)
    for (const { name, text } of signedReleaseFiles(given, readFileSync(join(folder, given), 'utf8'), key)) {
      writeFileSync(join(folder, name), text)
      console.log(`Signed ${name}`)
    }
}
